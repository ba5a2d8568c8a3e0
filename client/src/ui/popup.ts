/** The one door to popups. SweetAlert2 and its styles (a file, not injected, for the sake of a strict CSP) load on first use. */
async function swal() {
  const [{ default: Swal }] = await Promise.all([
    import("sweetalert2/dist/sweetalert2.esm.js"),
    import("./popup.css"),
  ]);
  return Swal;
}

const LOOKS = {
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

type Question = { name: string; label: string; type: "text" | "email"; value: string; error: string };

/** Asks for a few short answers in a popup; null when the person closes it. Answers are trimmed and never empty. */
export async function ask<Q extends Question>(
  title: string,
  text: string,
  questions: readonly Q[],
  yes: string,
): Promise<Record<string, string> | null> {
  const Swal = await swal();
  const form = document.createElement("div");
  form.className = "tl-popup-form";
  const intro = document.createElement("p");
  intro.textContent = text;
  form.append(intro);
  const inputs = questions.map((question) => {
    const label = document.createElement("label");
    label.textContent = question.label;
    const input = document.createElement("input");
    Object.assign(input, {
      type: question.type,
      name: question.name,
      value: question.value,
      className: "input w-full",
    });
    input.autocomplete = "off";
    label.append(input);
    form.append(label);
    return input;
  });
  const answer = await Swal.fire({
    ...LOOKS,
    title,
    html: form,
    showCancelButton: true,
    confirmButtonText: yes,
    focusConfirm: false,
    didOpen: () => inputs[0]?.focus(),
    preConfirm: () => {
      const wrong = inputs.findIndex((input) => !input.value.trim() || !input.checkValidity());
      if (wrong === -1) return true;
      Swal.showValidationMessage(questions[wrong]?.error ?? "");
      inputs[wrong]?.focus();
      return false;
    },
  });
  if (!answer.isConfirmed) return null;
  return Object.fromEntries(inputs.map((input) => [input.name, input.value.trim()]));
}
