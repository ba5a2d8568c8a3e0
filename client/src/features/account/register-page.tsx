import { isBlank } from "@tasklane/server/contract";
import { type FormEvent, useEffect, useRef, useState } from "react";
import { Link, useLocation } from "react-router-dom";
import { useAuth } from "../../auth/auth-context.tsx";
import { failureCode, failureText, WEAK_PASSWORD } from "../../auth/failure-text.ts";
import { paths } from "../../lib/paths.ts";
import { Avatar } from "../../ui/avatar.tsx";
import { Field, focusFirstInvalid } from "../../ui/field.tsx";
import { FormAlert } from "../../ui/form-alert.tsx";
import { notify } from "../../ui/notify.ts";
import { PageMeta } from "../../ui/page-meta.tsx";
import { PasswordField } from "../../ui/password-field.tsx";
import { celebrate } from "../../ui/popup.ts";
import { SubmitButton } from "../../ui/submit-button.tsx";
import { AuthCard } from "./auth-card.tsx";
import { GoogleButton } from "./google-button.tsx";
import { isStrongEnough } from "./password-rule.ts";
import { photoError } from "./profile-photo.ts";
import { useReturnAfterSignIn } from "./use-return.ts";

type Errors = { name?: string; photo?: string; email?: string; password?: string };

/** Says that a link was mailed; shows it where no mail is sent. Away from the top bar, which is needed next. */
function announceLink(link: string | undefined): void {
  notify.info(
    link ? (
      <span>
        This local installation sends no mail.{" "}
        <a className="link" href={link} target="_blank" rel="noreferrer">
          Verify your email address
        </a>
      </span>
    ) : (
      "We have sent you a link. Open it to verify your email address."
    ),
    { position: "bottom-right", topic: "verification", ...(link && { autoClose: 10_000 }) },
  );
}

const LONGEST_NAME = 80;

/** SPEC section 2, Register: creates the account, then sets its name and photo. */
export function Component() {
  const { createUser, updateUser, sendEmailVerification } = useAuth();
  const { search } = useLocation();
  const { begin, finish } = useReturnAfterSignIn();
  const form = useRef<HTMLFormElement>(null);
  const [busy, setBusy] = useState(false);
  const [photo, setPhoto] = useState("");
  const [name, setName] = useState("");
  const [errors, setErrors] = useState<Errors>({});
  const [failure, setFailure] = useState("");

  useEffect(() => {
    if (Object.keys(errors).length > 0) focusFirstInvalid(form.current);
  }, [errors]);

  const start = () => {
    begin();
    setErrors({});
    setFailure("");
  };
  const refuse = (found: Errors, text = "") => {
    setErrors(found);
    setFailure(text);
    setBusy(false);
  };

  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (busy) return;
    notify.dismiss("session");
    const data = new FormData(event.currentTarget);
    const field = (key: string) => String(data.get(key) ?? "");
    const found: Errors = {};
    if (isBlank(name)) found.name = "Enter your name.";
    else if (name.trim().length > LONGEST_NAME)
      found.name = `Name can have at most ${LONGEST_NAME} characters.`;
    const wrongPhoto = photoError(photo);
    if (wrongPhoto) found.photo = wrongPhoto;
    if (!isStrongEnough(field("password"))) {
      found.password = WEAK_PASSWORD;
      notify.error(WEAK_PASSWORD, { position: "top-center", autoClose: 4000, topic: "session" });
    }
    if (Object.keys(found).length > 0) return refuse(found);

    start();
    setBusy(true);
    try {
      await createUser(field("email").trim(), field("password"));
    } catch (error) {
      const text = failureText(error);
      const code = failureCode(error);
      notify.error(text, { topic: "session" });
      if (code === "email-in-use" || code === "invalid-email") return refuse({ email: text });
      if (code === "weak-password") return refuse({ password: text });
      return refuse({}, text);
    }
    try {
      await updateUser({ displayName: name.trim(), photoURL: photo.trim() });
      void celebrate("Register Successfully!");
    } catch {
      notify.error("Your account is ready, but your name and photo could not be saved.", {
        topic: "session",
      });
    }
    // Nothing waits for it, and Settings offers to send it once more.
    void sendEmailVerification().then(announceLink, () => undefined);
    finish();
  };

  return (
    <AuthCard title="Create your account" intro="One account to post tasks and to bid on them.">
      <PageMeta title="Register" />
      <form ref={form} onSubmit={submit} className="grid grid-cols-1 gap-5">
        <Field name="name" label="Name" error={errors.name} limit={LONGEST_NAME}>
          {(control) => (
            <input
              {...control}
              type="text"
              autoComplete="name"
              required
              className="input w-full"
              onChange={(event) => setName(event.target.value)}
            />
          )}
        </Field>
        <Field
          name="photo"
          label="Photo URL"
          error={errors.photo}
          hint="The https address of a picture of you."
        >
          {(control) => (
            <span className="flex items-center gap-3">
              <input
                {...control}
                type="url"
                autoComplete="photo"
                required
                className="input w-full"
                placeholder="https://…"
                onChange={(event) => setPhoto(event.target.value)}
              />
              <Avatar name={name} src={photoError(photo) ? null : photo} size="sm" />
            </span>
          )}
        </Field>
        <Field name="email" label="Email" error={errors.email}>
          {(control) => (
            <input {...control} type="email" autoComplete="email" required className="input w-full" />
          )}
        </Field>
        <PasswordField
          autoComplete="new-password"
          error={errors.password}
          hint="At least 6 characters, with uppercase and lowercase letters."
        />
        <FormAlert>{failure}</FormAlert>
        <SubmitButton busy={busy} busyLabel="Creating your account…">
          Sign Up
        </SubmitButton>
      </form>
      <div className="divider text-sm">Or</div>
      <GoogleButton onStart={start} onSignedIn={finish} />
      <p className="text-center text-sm">
        Already have an account?{" "}
        <Link to={{ pathname: paths.login, search }} replace className="link font-semibold link-primary">
          Login
        </Link>
      </p>
    </AuthCard>
  );
}
