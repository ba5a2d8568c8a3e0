import { boxAboveDialogs } from "./above-dialogs.tsx";
import { notify } from "./notify.tsx";

const CLASSES = {
  popup: "tl-popup",
  confirmButton: "btn btn-primary",
  cancelButton: "btn btn-ghost",
};

let sweetAlert: typeof import("sweetalert2/dist/sweetalert2.esm.js").default | undefined;
/** The number of page changes so far. */
let navigations = 0;

/**
 * Loads SweetAlert2 and its styles (a file, since a strict CSP forbids injected ones) on first use. Null if that fails:
 * then callers fall back to the browser's own dialogs.
 */
export async function loadPopup() {
  try {
    const [{ default: Swal }] = await Promise.all([
      import("sweetalert2/dist/sweetalert2.esm.js"),
      import("./popup.css"),
    ]);
    sweetAlert = Swal;
    return Swal.mixin({
      // Inside the open modal dialog, if any, which makes everything outside of it inert.
      target: [...document.querySelectorAll<HTMLElement>("dialog[open]")].at(-1) ?? document.body,
      buttonsStyling: false,
      customClass: CLASSES,
    });
  } catch {
    return null;
  }
}

type Confirmation = {
  title: string;
  text: string;
  /** Never user input: SweetAlert2 treats button labels as HTML. */
  yes: string;
  no?: string;
  /** `danger` (red) for a loss, a penalty or a probable mistake, `primary` for anything else. */
  tone?: "danger" | "primary";
};

/** Asks for confirmation. Resolves to true only if the person agrees. */
export async function confirm({ title, text, yes, no = "Cancel", tone = "danger" }: Confirmation) {
  const navigationsBefore = navigations;
  const Popup = await loadPopup();
  // The page that asked was left while the code was loading.
  if (navigations !== navigationsBefore) return false;
  if (!Popup) return window.confirm(`${title}\n\n${text}`);
  return new Promise<boolean>((resolve, reject) => {
    let isConfirmed = false;
    Popup.fire({
      icon: tone === "danger" ? "warning" : "question",
      iconColor: tone === "danger" ? "var(--color-error)" : "var(--color-primary)",
      // Not `title`, which SweetAlert2 treats as HTML: a title may contain somebody's name.
      titleText: title,
      text,
      showCancelButton: true,
      confirmButtonText: yes,
      cancelButtonText: no,
      reverseButtons: true,
      focusCancel: true,
      ...(tone === "danger" && { customClass: { ...CLASSES, confirmButton: "btn btn-error" } }),
      // Only after the focus is restored, because the confirmed action may remove the control that asked.
      didClose: () => isConfirmed && resolve(true),
    }).then((result) => {
      ({ isConfirmed } = result);
      if (!isConfirmed) resolve(false);
    }, reject);
  });
}

/**
 * Says for 1500 ms, without a button and without taking focus or clicks from the page, that an action has succeeded.
 * Resolves when the popup has closed. SweetAlert2 shows one popup at a time, so beside an open prompt it is a toast.
 */
export async function showSuccess(title: string, text = ""): Promise<void> {
  const Popup = await loadPopup();
  if (!Popup || document.querySelector(".swal2-modal")) return notify.success(`${title} ${text}`.trim());
  // It outlives the dialog in which somebody has succeeded.
  const box = boxAboveDialogs();
  await Popup.fire({
    target: box.element,
    didDestroy: box.remove,
    toast: true,
    position: "top",
    icon: "success",
    iconColor: "var(--color-success)",
    titleText: title,
    text,
    showConfirmButton: false,
    timer: 1500,
  });
}

/**
 * Closes an open prompt, which counts as "no", when its page or dialog goes away. Without the closing animation, which
 * would never end in a closed dialog and leave the page locked.
 * @param within the dialog; prompts outside of it stay open.
 */
export function dismissPrompt(within: Element = document.body): void {
  if (within === document.body) navigations += 1;
  const popup = sweetAlert?.getPopup();
  if (!popup || popup.classList.contains("swal2-toast") || !within.contains(popup)) return;
  sweetAlert?.close();
  popup.dispatchEvent(new Event("animationend"));
}
