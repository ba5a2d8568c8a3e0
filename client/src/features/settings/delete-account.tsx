import { useState } from "react";
import { Form, useActionData, useNavigation } from "react-router-dom";
import { ActionForm } from "../../ui/action-form.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Field } from "../../ui/field.tsx";
import { FormAlert } from "../../ui/form-alert.tsx";
import { useSignInMethod } from "./login-settings.tsx";
import { DELETION_WORD, type DeletionResult } from "./settings-data.ts";

/** Explains what deleting the account means, with a button that opens the form. */
export function DeleteAccount() {
  const data = useActionData<DeletionResult>();
  const [open, setOpen] = useState(false);
  return (
    <>
      <div className="quiet space-y-2">
        <p>This cannot be undone. When you delete your account:</p>
        <ul className="list-disc space-y-1 pl-5">
          <li>your open and awarded tasks are cancelled, and everybody who bid or was hired is notified;</li>
          <li>work that was delivered to you can be marked as completed by its freelancer immediately;</li>
          <li>
            your bids are withdrawn; on awarded tasks they stay without your name. What you delivered is
            deleted, and clients who are still waiting for your work are notified;
          </li>
          <li>your tasks, answered questions and reviews can still be read, without your name;</li>
          <li>
            your profile, messages, unanswered questions, notifications, saved tasks and searches, settings
            and login are deleted.
          </li>
        </ul>
      </div>
      <button type="button" className="btn btn-outline btn-error" onClick={() => setOpen(true)}>
        Delete my account
      </button>
      <Dialog title="Delete my account?" open={open} onClose={() => setOpen(false)}>
        <DeleteForm result={data} onClose={() => setOpen(false)} />
      </Dialog>
    </>
  );
}

type FormProps = { result: DeletionResult | undefined; onClose: () => void };

/** The deletion form: asks for the password, or for Google sign-in, and for a word to type as a safeguard. */
function DeleteForm({ result, onClose }: FormProps) {
  const { method, problem } = useSignInMethod();
  // A navigation rather than a fetcher, so that the redirect works although session and page are gone by then.
  const { state } = useNavigation();
  const isLoginLeft = result?.isLoginLeft ?? false;
  if (!method) return <FormAlert>{problem}</FormAlert>;
  return (
    <ActionForm
      fetcher={{ Form, state, data: result }}
      name="delete"
      submit={isLoginLeft ? "Delete my login too" : "Permanently delete my account"}
      busy="Deleting…"
      isDangerous
      buttons={
        <button type="button" className="btn btn-ghost" onClick={onClose}>
          Cancel
        </button>
      }
    >
      <input type="hidden" name="intent" value="delete" />
      <input type="hidden" name="method" value={method} />
      {isLoginLeft && <input type="hidden" name="isLoginLeft" value="yes" />}
      {!isLoginLeft && (
        <p className="quiet text-sm">
          Your open and awarded tasks are cancelled and your bids withdrawn; what you delivered, your
          messages, your profile and your login are deleted. Tasks and reviews stay without your name. This
          cannot be undone.
        </p>
      )}
      {method === "password" ? (
        <Field name="current" label="Password" type="password" autoComplete="current-password" required />
      ) : (
        <p className="quiet text-sm">You log in with Google, so Google will ask who you are once more.</p>
      )}
      {isLoginLeft ? (
        <input type="hidden" name="word" value={DELETION_WORD} />
      ) : (
        <Field name="word" label={`Type ${DELETION_WORD} to confirm`} autoComplete="off" required />
      )}
    </ActionForm>
  );
}
