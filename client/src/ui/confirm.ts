import { CLASSES, loadPopup, pageCount, trackPrompt } from "./popup.ts";

type Confirmation = {
  title: string;
  text: string;
  /** Words of ours, as `no` is: what is on a button counts as HTML. */
  yes: string;
  no?: string;
  /** Red where something is lost or taken from somebody, the leading colour for what leads on. */
  tone?: "danger" | "onward";
};

/** Asks before something of consequence. Resolves to true only if the person agrees. */
export function confirm(question: Confirmation): Promise<boolean> {
  const agreed = ask(question);
  trackPrompt(agreed);
  return agreed;
}

async function ask({ title, text, yes, no = "Cancel", tone = "danger" }: Confirmation): Promise<boolean> {
  const page = pageCount();
  const Popup = await loadPopup();
  // The code took its time, and the page that asked is gone.
  if (page !== pageCount()) return false;
  if (!Popup) return window.confirm(`${title}\n\n${text}`);
  return new Promise((resolve, reject) => {
    let isAgreed = false;
    Popup.fire({
      icon: tone === "danger" ? "warning" : "question",
      iconColor: tone === "danger" ? "var(--color-error)" : "var(--color-primary)",
      // As text: a title may hold somebody's name, and SweetAlert2 takes `title` for HTML.
      titleText: title,
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
