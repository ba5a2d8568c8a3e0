import { notify } from "./notify.tsx";

/**
 * The one door to popups, with ask.ts for the rare one that has fields. SweetAlert2 and its styles (a file, not injected,
 * for the sake of a strict CSP) load on first use; null if they do not arrive: then the browser's own dialogs must do.
 */
export async function swal() {
  try {
    const [{ default: Swal }] = await Promise.all([
      import("sweetalert2/dist/sweetalert2.esm.js"),
      import("./popup.css"),
    ]);
    return Swal;
  } catch {
    return null;
  }
}

export const LOOKS = {
  buttonsStyling: false,
  customClass: {
    popup: "tl-popup",
    actions: "tl-popup-actions",
    confirmButton: "btn btn-primary",
    cancelButton: "btn btn-ghost",
  },
} as const;

// SweetAlert2 shows one popup and replaces what is open. A question may replace a success message, never the reverse.
let question: Promise<unknown> = Promise.resolve();

/** Marks a popup as a question that success messages wait for. */
export function asQuestion<T>(asked: PromiseLike<T>): Promise<T> {
  // What the library answers can be awaited, but is no whole promise.
  const answer = Promise.resolve(asked);
  question = answer.catch(() => undefined);
  return answer;
}

/** A success popup without a button that closes by itself after 1500 ms (SPEC section 9). Resolves when it is gone. */
export async function celebrate(title: string, text?: string): Promise<void> {
  const Swal = await swal();
  if (!Swal) return notify.success(text ? `${title} ${text}` : title);
  await question;
  await Swal.fire({
    ...LOOKS,
    target: onTop(),
    icon: "success",
    title,
    ...(text ? { text } : {}),
    showConfirmButton: false,
    timer: 1500,
  });
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
export async function confirm({
  title,
  text,
  yes,
  no = "Cancel",
  tone = "danger",
}: Confirmation): Promise<boolean> {
  const Swal = await swal();
  if (!Swal) return window.confirm(`${title}\n\n${text}`);
  const confirmButton = tone === "danger" ? "btn btn-error" : LOOKS.customClass.confirmButton;
  const asked = new Promise<boolean>((resolve, reject) => {
    let agreed = false;
    Swal.fire({
      ...LOOKS,
      target: onTop(),
      customClass: { ...LOOKS.customClass, confirmButton },
      icon: tone === "danger" ? "warning" : "question",
      title,
      text,
      showCancelButton: true,
      confirmButtonText: yes,
      cancelButtonText: no,
      focusCancel: true,
      // What is agreed to may take away the control that asked: it has its focus back before that.
      didClose: () => agreed && resolve(true),
    }).then(({ isConfirmed }) => {
      agreed = isConfirmed;
      if (!agreed) resolve(false);
    }, reject);
  });
  return asQuestion(asked);
}

/** Where a popup is seen and can be used: within an open modal dialog, which makes everything outside of it inert. */
export function onTop(): HTMLElement {
  return [...document.querySelectorAll<HTMLElement>("dialog[open]")].at(-1) ?? document.body;
}
