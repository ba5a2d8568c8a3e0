import { notify } from "./notify.tsx";

const CLASSES = {
  popup: "tl-popup",
  confirmButton: "btn btn-primary",
  cancelButton: "btn btn-ghost",
};

let sweetAlert: typeof import("sweetalert2/dist/sweetalert2.esm.js").default | undefined;

/**
 * The one door to popups. SweetAlert2 and its styles (a file, not injected, for the sake of a strict CSP) load on first
 * use; null if they do not arrive: then the browser's own dialogs must do.
 */
export async function loadPopup() {
  try {
    const [{ default: Swal }] = await Promise.all([
      import("sweetalert2/dist/sweetalert2.esm.js"),
      import("./popup.css"),
    ]);
    sweetAlert = Swal;
    return Swal.mixin({
      // Within an open modal dialog, which makes everything outside of it inert.
      target: [...document.querySelectorAll<HTMLElement>("dialog[open]")].at(-1) ?? document.body,
      buttonsStyling: false,
      customClass: CLASSES,
    });
  } catch {
    return null;
  }
}

// SweetAlert2 shows one popup and replaces what is open. A question may replace a success message, never the reverse.
let prompt: Promise<unknown> = Promise.resolve();

/**
 * A success popup without a button that closes by itself after 1500 ms. Resolves when it is gone. It lies over the top
 * bar, and takes neither focus nor clicks from the page.
 */
export async function showSuccess(title: string, text = ""): Promise<void> {
  await prompt;
  const Popup = await loadPopup();
  if (!Popup) return notify.success(`${title} ${text}`.trim());
  await Popup.fire({
    toast: true,
    position: "top",
    icon: "success",
    iconColor: "var(--color-success)",
    title,
    text,
    showConfirmButton: false,
    timer: 1500,
  });
}

/**
 * Closes the question that stands open, which is a "no", when the page or dialog that it is about goes away. At once: in a
 * closed dialog no animation ends, and the page would stay locked.
 * @param within the dialog; another one's question stays.
 */
export function dismissPrompt(within: Element = document.body): void {
  const popup = sweetAlert?.getPopup();
  if (!popup || popup.classList.contains("swal2-toast") || !within.contains(popup)) return;
  sweetAlert?.close();
  popup.dispatchEvent(new Event("animationend"));
}

type Confirmation = {
  title: string;
  text: string;
  yes: string;
  no?: string;
  /** Red for what cannot be undone, the leading colour for what leads on. */
  tone?: "danger" | "onward";
};

/** Asks before something of consequence. Resolves to true only if the person agrees. */
export function confirm(question: Confirmation): Promise<boolean> {
  const agreed = ask(question);
  prompt = agreed.catch(() => undefined);
  return agreed;
}

async function ask({ title, text, yes, no = "Cancel", tone = "danger" }: Confirmation): Promise<boolean> {
  const Popup = await loadPopup();
  if (!Popup) return window.confirm(`${title}\n\n${text}`);
  return new Promise((resolve, reject) => {
    let isAgreed = false;
    Popup.fire({
      icon: tone === "danger" ? "warning" : "question",
      iconColor: tone === "danger" ? "var(--color-error)" : "var(--color-primary)",
      title,
      text,
      showCancelButton: true,
      confirmButtonText: yes,
      cancelButtonText: no,
      reverseButtons: true,
      focusCancel: true,
      ...(tone === "danger" && { customClass: { ...CLASSES, confirmButton: "btn btn-error" } }),
      // What is agreed to may take away the control that asked: it has its focus back before that.
      didClose: () => isAgreed && resolve(true),
    }).then(({ isConfirmed }) => {
      isAgreed = isConfirmed;
      if (!isAgreed) resolve(false);
    }, reject);
  });
}
