import { useCallback, useEffect, useRef } from "react";
import { useNavigate, useSearchParams } from "react-router-dom";
import { useAuth } from "../../auth/auth-context.tsx";
import { returnPath } from "../../lib/paths.ts";

/** Time to read the success message before the page changes, in ms (SPEC section 9). */
const REDIRECT_DELAY_MS = 1500;

/**
 * The way on from login and register. Call `begin` when the person submits and `finish` once they are signed in:
 * that leads to the wanted page, or home, after the delay. Somebody who comes here signed in is sent on at once.
 */
export function useReturnAfterSignIn(): { begin: () => void; finish: () => void } {
  const navigate = useNavigate();
  const [params] = useSearchParams();
  const { user, loading } = useAuth();
  const submitted = useRef(false);
  const timer = useRef<number | undefined>(undefined);

  useEffect(() => () => window.clearTimeout(timer.current), []);

  useEffect(() => {
    if (user && !loading && !submitted.current) void navigate(returnPath(params), { replace: true });
  }, [user, loading, navigate, params]);

  const begin = useCallback(() => {
    submitted.current = true;
  }, []);
  const finish = useCallback(() => {
    timer.current = window.setTimeout(() => {
      void navigate(returnPath(params), { replace: true });
    }, REDIRECT_DELAY_MS);
  }, [navigate, params]);

  return { begin, finish };
}
