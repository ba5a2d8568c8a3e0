import { Link, useLocation } from "react-router-dom";
import * as z from "zod/mini";
import {
  authFormError,
  emailSchema,
  NAME_LIMIT,
  nameSchema,
  newPasswordSchema,
  photoSchema,
} from "../../auth/account-fields.ts";
import { WEAK_PASSWORD } from "../../auth/failure-text.ts";
import { requirePicture } from "../../auth/photo.ts";
import { useAuth } from "../../auth/session.tsx";
import { draftKey, PROFILE_FORM, writeDraft } from "../../lib/drafts.ts";
import { type FormError, hasFieldErrors } from "../../lib/forms.ts";
import { paths } from "../../lib/paths.ts";
import { showSuccess } from "../../ui/confirm.ts";
import { Field } from "../../ui/field.tsx";
import { notify } from "../../ui/notify.tsx";
import { PhotoField } from "../../ui/photo-field.tsx";
import { SchemaForm } from "../../ui/schema-form.tsx";
import { AuthCard, GoogleButton, useReturnAfterSignIn } from "./auth-card.tsx";

const schema = z.object({
  name: nameSchema,
  photo: photoSchema,
  email: emailSchema,
  password: newPasswordSchema,
});

const FIELDS_OF_FAILURES = {
  "email-in-use": "email",
  "invalid-email": "email",
  "weak-password": "password",
} as const;

function NameNotSaved() {
  return (
    <span>
      Your account is ready, but your name and photo could not be saved.{" "}
      <a className="link" href={paths.settings}>
        Save them in Settings
      </a>
    </span>
  );
}

/** Announces the verification email; on a local installation, which sends none, shows the link itself. */
function announceLink(link: string | undefined): void {
  notify.info(
    link ? (
      <span>
        This local installation sends no email.{" "}
        <a className="link" href={link} target="_blank" rel="noreferrer">
          Verify your email address
        </a>
      </span>
    ) : (
      "We have sent you a link. Open it to verify your email address."
    ),
    { topic: "verification", ...(link && { autoClose: 10_000 }) },
  );
}

export { requestedTaskLoader as loader } from "../tasks/requested-task.tsx";

/** Register, beside the task that the visitor came for. */
export function Component() {
  const session = useAuth();
  const { search } = useLocation();
  const { begin, fail, finish, isRedirecting } = useReturnAfterSignIn();
  /** Creates the account, then sets its name and photo. */
  const register = async ({ name, photo, email, password }: z.output<typeof schema>) => {
    await requirePicture(photo);
    const person = await session.createUser(email, password);
    try {
      await session.updateUser({ displayName: name, photoURL: photo });
      void showSuccess("Register Successfully!");
    } catch {
      // Settings has a form for them and will restore this draft.
      writeDraft(draftKey(person.uid, PROFILE_FORM), { name, photo });
      notify.error(<NameNotSaved />, { topic: "session", autoClose: false });
    }
    // Not awaited: if it fails, the link can be sent again from Settings.
    void session.sendEmailVerification().then(announceLink, () => undefined);
  };
  const onFailed = (error: FormError) => {
    fail();
    if (error.fieldErrors["password"] === WEAK_PASSWORD)
      notify.error(WEAK_PASSWORD, { position: "top-center", autoClose: 4000, topic: "session" });
    else if (!hasFieldErrors(error)) notify.error(error.message, { topic: "session" });
  };

  return (
    <AuthCard
      page="Register"
      title="Create your account"
      intro="One account to post tasks and to bid on them."
    >
      <SchemaForm
        schema={schema}
        // It survives a reload or a visit to the terms.
        draft="register"
        isForVisitors
        save={register}
        toError={(error) => authFormError(error, FIELDS_OF_FAILURES)}
        submit="Sign Up"
        busy="Creating your account…"
        isOver={isRedirecting}
        onSubmit={begin}
        onSaved={finish}
        onFailed={onFailed}
      >
        <Field name="name" label="Name" limit={NAME_LIMIT} autoComplete="name" enterKeyHint="next" required />
        <PhotoField required />
        <Field name="email" label="Email" type="email" autoComplete="email" enterKeyHint="next" required />
        <Field
          name="password"
          label="Password"
          type="password"
          hint="At least 6 characters, with uppercase and lowercase letters."
          autoComplete="new-password"
          enterKeyHint="go"
          required
        />
      </SchemaForm>
      <div className="divider text-sm">Or</div>
      <GoogleButton begin={begin} fail={fail} finish={finish} />
      <p className="quiet text-center text-sm">
        With an account you agree to the{" "}
        <Link to={paths.terms} className="link">
          Terms & Conditions
        </Link>{" "}
        and the{" "}
        <Link to={paths.privacy} className="link">
          Privacy Policy
        </Link>
        .
      </p>
      <p className="text-center text-sm">
        Already have an account?{" "}
        <Link to={{ pathname: paths.login, search }} replace className="link font-semibold link-primary">
          Login
        </Link>
      </p>
    </AuthCard>
  );
}
