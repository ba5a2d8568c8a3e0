/** The one door to popups, with ask.ts for the rare one that has fields. SweetAlert2 and its styles (a file, not injected, for the sake of a strict CSP) load on first use. */
export async function swal() {
  const [{ default: Swal }] = await Promise.all([
    import("sweetalert2/dist/sweetalert2.esm.js"),
    import("./popup.css"),
  ]);
  return Swal;
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

/** A success popup without a button that closes by itself after 1500 ms (SPEC section 9). Resolves when it is gone. */
export async function celebrate(title: string, text?: string): Promise<void> {
  const Swal = await swal();
  await Swal.fire({
    ...LOOKS,
    icon: "success",
    title,
    ...(text ? { text } : {}),
    showConfirmButton: false,
    timer: 1500,
  });
}

/** Asks before something that cannot be undone. Resolves to true only if the person agrees. */
export async function confirm(question: { title: string; text: string; yes: string }): Promise<boolean> {
  const Swal = await swal();
  const answer = await Swal.fire({
    ...LOOKS,
    customClass: { ...LOOKS.customClass, confirmButton: "btn btn-error" },
    icon: "warning",
    title: question.title,
    text: question.text,
    showCancelButton: true,
    confirmButtonText: question.yes,
    cancelButtonText: "Cancel",
    focusCancel: true,
  });
  return answer.isConfirmed;
}
