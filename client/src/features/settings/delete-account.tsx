import { useState } from "react";
import { useNavigate } from "react-router-dom";
import { useAuth } from "../../auth/session.tsx";
import { useApi } from "../../lib/api-context.tsx";
import { paths } from "../../lib/paths.ts";
import { useSubmission } from "../../lib/submission.ts";
import { ActionForm } from "../../ui/action-form.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Field } from "../../ui/field.tsx";
import { FormAlert } from "../../ui/form-alert.tsx";
import { DELETION_WORD, deleteAccount } from "./delete-account-data.ts";
import { useSignInMethod } from "./login-settings.tsx";

/** Explains what deleting the account means, with a button that opens the form. */
export function DeleteAccount() {
  const [open, setOpen] = useState(false);
  // Loaded before the dialog opens, whose first field gets the focus.
  const signIn = useSignInMethod();
  return (
    <>
      <div className="quiet space-y-2">
        <p>This cannot be undone. When you delete your account:</p>
        <ul className="list-disc space-y-1 pl-5">
          <li>tasks that you never hired anybody for are deleted, or stay without your name: you choose;</li>
          <li>other open and awarded tasks are cancelled, and everybody who bid or was hired is notified;</li>
          <li>work that was delivered to you can be marked as completed by its freelancer immediately;</li>
          <li>
            your bids are withdrawn; on awarded tasks they stay without your name. What you delivered is
            deleted, and clients who are still waiting for your work are notified;
          </li>
          <li>
            tasks that you hired somebody for, answered questions and reviews can still be read, without your
            name;
          </li>
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
        <DeleteForm {...signIn} onClose={() => setOpen(false)} />
      </Dialog>
    </>
  );
}

const TASK_CHOICES = [
  ["delete", "Delete my tasks that nobody was hired for"],
  [
    "keep",
    "Keep them without my name: everybody can still read their titles, descriptions and answered questions, with whatever these say about me",
  ],
];

type FormProps = ReturnType<typeof useSignInMethod> & { onClose: () => void };

/** The deletion form: asks for the password, or for Google sign-in, and for a word to type as a safeguard. */
function DeleteForm({ method, problem, onClose }: FormProps) {
  const services = { session: useAuth(), api: useApi() };
  const navigate = useNavigate();
  const deletion = useSubmission((form: FormData) =>
    deleteAccount(services, form, method ?? "password", async () => navigate(paths.home, { replace: true })),
  );
  if (!method) return <FormAlert>{problem}</FormAlert>;
  return (
    <ActionForm
      submission={deletion}
      name="delete"
      submit="Permanently delete my account"
      busy="Deleting…"
      isDangerous
      onCancel={onClose}
    >
      <p className="quiet text-sm">
        Your open and awarded tasks are cancelled and your bids withdrawn; what you delivered, your messages,
        your profile and your login are deleted. Tasks that you hired somebody for, agreements and reviews
        stay without your name, and the other side keeps invoices as they are. This cannot be undone.
      </p>
      <fieldset className="space-y-2 text-sm">
        <legend className="font-semibold">Tasks that nobody was hired for</legend>
        {TASK_CHOICES.map(([value, text]) => (
          <label key={value} className="flex items-start gap-3">
            <input
              type="radio"
              name="tasks"
              value={value}
              defaultChecked={value === "delete"}
              className="radio mt-0.5 radio-sm radio-primary"
            />
            {text}
          </label>
        ))}
      </fieldset>
      {method === "password" ? (
        <Field name="current" label="Password" type="password" autoComplete="current-password" required />
      ) : (
        <p className="quiet text-sm">You log in with Google, so Google will ask who you are once more.</p>
      )}
      <Field name="word" label={`Type ${DELETION_WORD} to confirm`} autoComplete="off" required />
    </ActionForm>
  );
}
