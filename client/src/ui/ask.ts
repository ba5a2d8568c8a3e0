import { asQuestion, LOOKS, onTop, swal } from "./popup.ts";

type Question = {
  name: string;
  label: string;
  type: "text" | "email" | "date";
  value: string;
  error: string;
  /** The earliest date, `YYYY-MM-DD`. */
  min?: string;
};

/** Asks for a few short answers in a popup; null when the person closes it. Answers are trimmed and never empty. */
export async function ask<Q extends Question>(
  title: string,
  text: string,
  questions: readonly Q[],
  yes: string,
): Promise<Record<string, string> | null> {
  const Swal = await swal();
  if (!Swal) return askNatively(title, questions);
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
    if (question.min) input.min = question.min;
    input.autocomplete = "off";
    label.append(input);
    form.append(label);
    return input;
  });
  const answer = await asQuestion(
    Swal.fire({
      ...LOOKS,
      target: onTop(),
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
    }),
  );
  if (!answer.isConfirmed) return null;
  return Object.fromEntries(inputs.map((input) => [input.name, input.value.trim()]));
}

/** One prompt after the other; null as soon as one is closed or left empty. */
function askNatively(title: string, questions: readonly Question[]): Record<string, string> | null {
  const answers: Record<string, string> = {};
  for (const { name, label, type, value } of questions) {
    const form = type === "date" ? " (YYYY-MM-DD)" : "";
    const answer = window.prompt(`${title}\n\n${label}${form}`, value)?.trim();
    if (!answer) return null;
    answers[name] = answer;
  }
  return answers;
}
