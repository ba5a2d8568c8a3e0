import { useState } from "react";
import { useNavigate } from "react-router-dom";
import { useAuth } from "../../auth/auth-context.tsx";
import type { SignInMethod } from "../../auth/auth-gateway.ts";
import { failureText } from "../../auth/failure-text.ts";
import { useApi } from "../../lib/api-provider.tsx";
import { removeDraftsOf } from "../../lib/drafts.ts";
import { paths } from "../../lib/paths.ts";
import { problemText } from "../../lib/problem.ts";
import { notify } from "../../ui/notify.tsx";
import { deleteMe } from "./settings-api.ts";

/** How far a deletion has come: nothing is gone yet, or only the login is left. */
type Step = "all" | "login-left";

export type AccountDeletion = ReturnType<typeof useAccountDeletion>;

/**
 * Deletes the account in the order in which a failure does least harm: prove who you are, delete what the product
 * holds, delete the login, go home. Whatever fails can be tried again; what is done already is not done twice.
 */
export function useAccountDeletion() {
  const { user, confirmPassword, confirmWithGoogle, deleteUser } = useAuth();
  const api = useApi();
  const navigate = useNavigate();
  const [step, setStep] = useState<Step>("all");
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState("");

  const confirm = async (method: SignInMethod, password: string) => {
    try {
      await (method === "password" ? confirmPassword(password) : confirmWithGoogle());
      return true;
    } catch (error) {
      setFailure(failureText(error));
      return false;
    }
  };

  const deleteData = async () => {
    try {
      await deleteMe(api);
      if (user) removeDraftsOf(user.uid);
      setStep("login-left");
      return true;
    } catch (error) {
      setFailure(`Nothing was lost, but your account could not be deleted. ${problemText(error)}`);
      return false;
    }
  };

  const deleteLogin = async () => {
    try {
      await deleteUser();
      return true;
    } catch (error) {
      setFailure(
        `Your data is deleted, but your login is not yet. ${failureText(error)} Confirm once more to delete it too.`,
      );
      return false;
    }
  };

  /** Takes it as far as it goes. */
  const run = async (method: SignInMethod, password: string) => {
    if (busy) return;
    setBusy(true);
    setFailure("");
    const done =
      (await confirm(method, password)) &&
      (step === "login-left" || (await deleteData())) &&
      (await deleteLogin());
    setBusy(false);
    if (!done) return;
    // A toast: it outlives this page and its dialog, and the guard that leads away from both at the same moment.
    notify.success("Your account is deleted. Thank you for having been here.", { topic: "session" });
    await navigate(paths.home, { replace: true });
  };

  return { step, busy, failure, run, reset: () => setFailure("") };
}
