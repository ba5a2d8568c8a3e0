import { Fragment, useEffect } from "react";
import { Outlet, useLoaderData, useRevalidator } from "react-router-dom";
import { useAuth } from "../auth/auth-context.tsx";
import type { Person } from "../auth/auth-gateway.ts";
import { Spinner } from "../ui/state-panel.tsx";

/**
 * Stands around the guarded pages and shows them only to the person for whom they were loaded. When somebody else is
 * signed in by now, or nobody, everything is loaded again, and the guard sends a signed-out person to login. It compares
 * what is, instead of listening for changes: one that comes before the page is mounted counts like any other.
 */
export function SignedInArea() {
  const loadedFor = useLoaderData<Person | null>()?.uid ?? null;
  const { user, loading } = useAuth();
  const { revalidate, state } = useRevalidator();
  const outdated = !loading && (user?.uid ?? null) !== loadedFor;

  useEffect(() => {
    if (outdated && state === "idle") void revalidate();
  }, [outdated, state, revalidate]);

  if (outdated) return <Spinner />;
  return (
    // The next person begins with empty forms.
    <Fragment key={loadedFor}>
      <Outlet />
    </Fragment>
  );
}
