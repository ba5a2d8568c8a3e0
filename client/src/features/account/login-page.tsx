import { Link, useLocation } from "react-router-dom";
import * as z from "zod/mini";
import { emailSchema, passwordSchema } from "../../auth/account-fields.ts";
import { authFormError } from "../../auth/auth-form-error.ts";
import { useAuth } from "../../auth/session.tsx";
import { type FormResult, hasFieldErrors, submitForm } from "../../lib/forms.ts";
import { paths } from "../../lib/paths.ts";
import { useSubmission } from "../../lib/submission.ts";
import { ActionForm } from "../../ui/action-form.tsx";
import { Field } from "../../ui/field.tsx";
import { notify } from "../../ui/notify.tsx";
import { AuthCard, GoogleButton, useReturnAfterSignIn } from "./auth-card.tsx";

const schema = z.object({ email: emailSchema, password: passwordSchema });

type Result = FormResult<{ name: string | null }>;

/** Signs in by email and password. */
function useSignIn() {
  const { signIn } = useAuth();
  return useSubmission(
    (form: FormData): Promise<Result> =>
      submitForm(
        form,
        schema,
        async ({ email, password }) => {
          const user = await signIn(email, password);
          return { name: user.displayName ?? user.email };
        },
        authFormError,
      ),
  );
}

export { requestedTaskLoader as loader } from "../tasks/requested-task.tsx";

/** Login, beside the task that the visitor came for. */
export function Component() {
  const login = useSignIn();
  const { search } = useLocation();
  const { begin, fail, finish, isRedirecting } = useReturnAfterSignIn();
  const onResult = (result: Result) => {
    if (result.ok) {
      notify.success(`Welcome back, ${result.name}`, { topic: "session" });
      finish();
      return;
    }
    fail();
    if (!hasFieldErrors(result))
      notify.error(result.message, { position: "top-right", autoClose: 5000, topic: "session" });
  };

  return (
    <AuthCard
      page="Login"
      title="Login now!"
      intro={
        search
          ? "Log in to continue. We'll take you back."
          : "Bid on tasks, post your own and keep track of both."
      }
    >
      <ActionForm
        submission={login}
        submit="Login"
        busy="Logging in…"
        isOver={isRedirecting}
        onSubmit={begin}
        onResult={onResult}
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
      </ActionForm>
      <div className="divider text-sm">Or login with</div>
      <GoogleButton onStart={begin} onFailed={fail} onSignedIn={finish} />
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
