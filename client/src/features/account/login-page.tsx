import { type FormEvent, useState } from "react";
import { Link, useLocation } from "react-router-dom";
import { useAuth } from "../../auth/auth-context.tsx";
import { failureText } from "../../auth/failure-text.ts";
import { paths } from "../../lib/paths.ts";
import { Field } from "../../ui/field.tsx";
import { FormAlert } from "../../ui/form-alert.tsx";
import { notify } from "../../ui/notify.ts";
import { PageMeta } from "../../ui/page-meta.tsx";
import { PasswordField } from "../../ui/password-field.tsx";
import { SubmitButton } from "../../ui/submit-button.tsx";
import { AuthCard } from "./auth-card.tsx";
import { GoogleButton } from "./google-button.tsx";
import { useReturnAfterSignIn } from "./use-return.ts";

/** SPEC section 2, Login. */
export function Component() {
  const { signIn } = useAuth();
  const { search } = useLocation();
  const { begin, finish } = useReturnAfterSignIn();
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState("");

  const start = () => {
    begin();
    setFailure("");
  };

  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (busy) return;
    notify.dismiss("session");
    const data = new FormData(event.currentTarget);
    start();
    setBusy(true);
    try {
      const user = await signIn(String(data.get("email")).trim(), String(data.get("password")));
      notify.success(`Welcome back, ${user.displayName ?? user.email}`, { topic: "session" });
      finish();
    } catch (error) {
      const text = failureText(error);
      notify.error(text, { position: "top-right", autoClose: 5000, topic: "session" });
      setFailure(text);
      setBusy(false);
    }
  };

  return (
    <AuthCard
      title="Login now!"
      intro={
        search
          ? "Please log in to go on: you come back to where you were."
          : "Bid on tasks, post your own and keep track of both."
      }
    >
      <PageMeta title="Login" />
      <form onSubmit={submit} className="grid grid-cols-1 gap-5">
        <Field name="email" label="Email">
          {(control) => (
            <input {...control} type="email" autoComplete="email" required className="input w-full" />
          )}
        </Field>
        <PasswordField autoComplete="current-password" />
        <Link
          to={{ pathname: paths.forgotPassword, search }}
          className="link justify-self-start text-sm link-primary"
        >
          Forgot password?
        </Link>
        <FormAlert>{failure}</FormAlert>
        <SubmitButton busy={busy} busyLabel="Logging in…">
          Login
        </SubmitButton>
      </form>
      <div className="divider text-sm">Or login with</div>
      <GoogleButton onStart={start} onSignedIn={finish} />
      <p className="text-center text-sm">
        {/* SPEC section 2 gives this text letter for letter. */}
        Dont't Have An Account ?{" "}
        <Link to={{ pathname: paths.register, search }} replace className="link font-semibold link-primary">
          Register
        </Link>
      </p>
    </AuthCard>
  );
}
