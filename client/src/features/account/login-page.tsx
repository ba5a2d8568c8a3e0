import { Link, useLocation } from "react-router-dom";
import * as z from "zod/mini";
import { authFormError, emailSchema, passwordSchema } from "../../auth/account-fields.ts";
import { useAuth } from "../../auth/session.tsx";
import { hasFieldErrors } from "../../lib/forms.ts";
import { paths, returnPath } from "../../lib/paths.ts";
import { Field } from "../../ui/field.tsx";
import { notify } from "../../ui/notify.tsx";
import { SchemaForm } from "../../ui/schema-form.tsx";
import { AuthCard, GoogleButton, useReturnAfterSignIn } from "./auth-card.tsx";

const schema = z.object({ email: emailSchema, password: passwordSchema });

export { requestedTaskLoader as loader } from "../tasks/requested-task.tsx";

/** Login, beside the task that the visitor came for. */
export function Component() {
  const { signIn } = useAuth();
  const { search } = useLocation();
  const { begin, fail, finish, isRedirecting } = useReturnAfterSignIn();

  return (
    <AuthCard
      page="Login"
      title="Login now!"
      intro={
        // Other parameters, which links from elsewhere have, lead nowhere.
        returnPath(new URLSearchParams(search)) === paths.home
          ? "Bid on tasks, post your own and keep track of both."
          : "Log in to continue. We'll take you back."
      }
    >
      <SchemaForm
        schema={schema}
        save={({ email, password }) => signIn(email, password)}
        toError={authFormError}
        submit="Login"
        busy="Logging in…"
        isOver={isRedirecting}
        onSubmit={begin}
        onSaved={({ displayName, email }) => {
          notify.success(`Welcome back, ${displayName ?? email}`, { topic: "session" });
          finish();
        }}
        onFailed={(error) => {
          fail();
          if (!hasFieldErrors(error))
            notify.error(error.message, { position: "top-right", autoClose: 5000, topic: "session" });
        }}
      >
        <Field name="email" label="Email" type="email" autoComplete="email" enterKeyHint="next" required />
        <Field
          name="password"
          label="Password"
          type="password"
          autoComplete="current-password"
          enterKeyHint="go"
          required
        />
        <Link
          to={{ pathname: paths.forgotPassword, search }}
          className="link justify-self-start py-0.5 text-sm link-primary"
        >
          Forgot password?
        </Link>
      </SchemaForm>
      <div className="divider text-sm">Or login with</div>
      <GoogleButton begin={begin} fail={fail} finish={finish} />
      <p className="text-center text-sm">
        {/* This exact text, typos included, is in the specification. */}
        Dont't Have An Account ?{" "}
        <Link to={{ pathname: paths.register, search }} replace className="link font-semibold link-primary">
          Register
        </Link>
      </p>
    </AuthCard>
  );
}
