import { useEffect, useRef } from "react";
import { useRevalidator } from "react-router-dom";
import { useAuth } from "../auth/auth-context.tsx";

/**
 * Starts finding out who is signed in once the page is shown, and loads the page's data again when that changes
 * later on, in another tab for instance: the guard then asks a signed-out person to log in.
 */
export function SessionKeeper() {
  const { user, loading, ready } = useAuth();
  const { revalidate } = useRevalidator();
  const known = useRef<string | null | undefined>(undefined);

  useEffect(() => {
    // Without the provider the pages still work for visitors; what needs the session says so itself.
    const start = () => void ready().catch(() => undefined);
    const idle = window.setTimeout(start, 0);
    return () => window.clearTimeout(idle);
  }, [ready]);

  useEffect(() => {
    if (loading) return;
    const uid = user?.uid ?? null;
    const changed = known.current !== undefined && known.current !== uid;
    known.current = uid;
    if (changed) void revalidate();
  }, [user, loading, revalidate]);

  return null;
}
