import { useEffect, useState } from "react";
import { useAuth } from "../../auth/auth-context.tsx";
import type { SignInMethod } from "../../auth/auth-gateway.ts";
import { failureText } from "../../auth/failure-text.ts";

/** How the signed-in person can prove who they are; undefined until that is known, or with the `problem` that there is. */
export function useSignInMethod(): { method: SignInMethod | undefined; problem: string } {
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
