import { CLASSES, loadPopup, navigationCount, trackPrompt } from "./popup.ts";

type Confirmation = {
  title: string;
  text: string;
  /** Like `no`, never user input: SweetAlert2 treats button labels as HTML. */
  yes: string;
  no?: string;
  /** `danger` (red) for a loss, a penalty or a probable mistake, `primary` for anything else. */
  tone?: "danger" | "primary";
};

/** Asks for confirmation. Resolves to true only if the person agrees. */
export function confirm(question: Confirmation): Promise<boolean> {
  const answer = ask(question);
  trackPrompt(answer);
  return answer;
}

async function ask({ title, text, yes, no = "Cancel", tone = "danger" }: Confirmation): Promise<boolean> {
  const navigations = navigationCount();
  const Popup = await loadPopup();
  // The page that asked was left while the code was loading.
  if (navigations !== navigationCount()) return false;
  if (!Popup) return window.confirm(`${title}\n\n${text}`);
  return new Promise((resolve, reject) => {
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
