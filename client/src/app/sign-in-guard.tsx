import { Fragment, type ReactNode, useEffect } from "react";
import {
  type LoaderFunctionArgs,
  type MiddlewareFunction,
  Outlet,
  redirect,
  replace,
  useLoaderData,
  useRevalidator,
} from "react-router-dom";
import type { Person } from "../auth/person.ts";
import { sessionOf, useAuth } from "../auth/session.tsx";
import { paths, withReturnPath } from "../lib/paths.ts";
import { Spinner } from "../ui/state-panel.tsx";

/**
 * The sign-in guard: waits for the session, then redirects visitors to login, which remembers the requested page. As
 * middleware it runs before the loaders of the pages below.
 */
export const requireSignIn: MiddlewareFunction = async ({ context, request }, next) => {
  if (!(await sessionOf({ context }).ready())) {
    const { pathname, search } = new URL(request.url);
    // If the page is already in the history, replace it: going back from login would only redirect to login again.
    const isCurrent = window.location.pathname === pathname;
    // A request has no hash, so take it from the address bar.
    const hash = isCurrent ? window.location.hash : "";
    const login = withReturnPath(paths.login, pathname + search + hash);
    throw isCurrent ? replace(login) : redirect(login);
  }
  return next();
};

/** The person for whom the guarded pages were loaded (see {@link SignedInArea}). */
export async function guardLoader(args: LoaderFunctionArgs): Promise<Person | null> {
  return sessionOf(args).ready();
}

/**
 * Shows the guarded pages only to the person for whom they were loaded. If somebody else or nobody is signed in by now,
 * everything is loaded again, and the guard redirects to login if needed. It compares the current state instead of
 * listening for changes, so that a change before mounting is not missed. A page that the server has rendered is loaded for
 * nobody: `meanwhile` is shown.
 */
export function SignedInArea({ meanwhile = <Spinner /> }: { meanwhile?: ReactNode }) {
  const loadedFor = useLoaderData<Person | null>()?.uid ?? null;
  const { user, loading, ready } = useAuth();
  const { revalidate, state } = useRevalidator();
  // With nobody signed in it is always outdated: they may have signed out between guard and loader.
  const outdated = !loading && (!user || user.uid !== loadedFor);

  useEffect(() => {
    if (outdated && state === "idle") void revalidate();
  }, [outdated, state, revalidate]);

  useEffect(() => {
    if (loadedFor === null) void ready().catch(() => undefined);
  }, [loadedFor, ready]);

  if (outdated || loadedFor === null) return meanwhile;
  return (
    // The key resets forms when another person signs in.
    <Fragment key={loadedFor}>
      <Outlet />
    </Fragment>
  );
}
