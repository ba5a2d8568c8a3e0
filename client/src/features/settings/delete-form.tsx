import { type FormEvent, useEffect, useState } from "react";
import { useAuth } from "../../auth/auth-context.tsx";
import type { SignInMethod } from "../../auth/auth-gateway.ts";
import { failureText } from "../../auth/failure-text.ts";
import { FormAlert } from "../../ui/form-alert.tsx";
import { Field, focusFirstInvalid } from "../../ui/old-field.tsx";
import { PasswordField } from "../../ui/password-field.tsx";
import type { AccountDeletion } from "./use-account-deletion.ts";

const WORD = "DELETE";

/** Who you are once more, a word to type so that it is no slip, and the button. */
export function DeleteForm({ deletion }: { deletion: AccountDeletion }) {
  const { step, busy, failure, run } = deletion;
  const { method, problem } = useSignInMethod();
  const [unsure, setUnsure] = useState(false);

  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = event.currentTarget;
    const data = new FormData(form);
    const sure = step === "login-left" || String(data.get("word")).trim().toUpperCase() === WORD;
    setUnsure(!sure);
    if (sure && method) void run(method, String(data.get("password") ?? ""));
    // The field is marked in the render that follows.
    if (!sure) window.setTimeout(() => focusFirstInvalid(form));
  };

  return (
    <form className="grid grid-cols-1 gap-4" onSubmit={submit}>
      {step === "all" && (
        <p className="quiet text-sm">
          Your open tasks are cancelled, your bids withdrawn, your login deleted. This cannot be undone.
        </p>
      )}
      {method === "password" && <PasswordField autoComplete="current-password" />}
      {method === "google" && (
        <p className="quiet text-sm">You sign in with Google, so Google will ask who you are once more.</p>
      )}
      {step === "all" && (
        <Field
          idPrefix="delete"
          name="word"
          label={`Type ${WORD} to confirm`}
          error={unsure ? `Type the word ${WORD}.` : undefined}
        >
          {(control) => <input {...control} className="input w-full" autoComplete="off" />}
        </Field>
      )}
      <FormAlert>{failure || problem}</FormAlert>
      <button type="submit" className="btn btn-error" aria-disabled={busy || !method || undefined}>
        {busy && <span className="loading loading-spinner loading-sm" aria-hidden="true" />}
        {busy ? "Deleting…" : step === "all" ? "Delete my account for ever" : "Delete my login too"}
      </button>
    </form>
  );
}

function useSignInMethod(): { method: SignInMethod | undefined; problem: string } {
  const { signInMethods } = useAuth();
  const [method, setMethod] = useState<SignInMethod>();
  const [problem, setProblem] = useState("");
  useEffect(() => {
    signInMethods().then(
      ([first]) => {
        setMethod(first);
        if (!first)
          setProblem("This login can neither be confirmed by password nor by Google. Please contact us.");
      },
      (error: unknown) => setProblem(failureText(error)),
    );
  }, [signInMethods]);
  return { method, problem };
}
