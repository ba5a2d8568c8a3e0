import { Fragment, useEffect } from "react";
import {
  type LoaderFunctionArgs,
  type MiddlewareFunction,
  Outlet,
  redirect,
  replace,
  useLoaderData,
  useRevalidator,
} from "react-router-dom";
import { useAuth } from "../auth/auth-context.tsx";
import type { Person } from "../auth/auth-gateway.ts";
import { sessionOf } from "../auth/session.ts";
import { paths, withReturnPath } from "../lib/paths.ts";
import { Spinner } from "../ui/state-panel.tsx";

/**
 * The sign-in guard: waits for the session, then lets a signed-in person pass and sends a visitor
 * to login with the wanted address remembered. As middleware it runs before the loaders of the pages below.
 */
export const requireSignIn: MiddlewareFunction = async ({ context, request }, next) => {
  const session = sessionOf({ context });
  // Beside the wait, and not in the shell: a visitor's pages have no drafts.
  const [person, { findDrafts }] = await Promise.all([session.ready(), import("../lib/drafts.ts")]);
  if (!person) {
    const { pathname, search } = new URL(request.url);
    // Opened here, or gone back to: the history has it already, and Back from login would lead to it, and to login again.
    const isHere = window.location.pathname === pathname;
    const lead = isHere ? replace : redirect;
    // A request has no hash: it is in the address bar.
    throw lead(withReturnPath(paths.login, pathname + search + (isHere ? window.location.hash : "")));
  }
  await findDrafts();
  return next();
};

/** The person for whom the guarded pages are loaded (see {@link SignedInArea}). */
export async function guardLoader(args: LoaderFunctionArgs): Promise<Person | null> {
  return sessionOf(args).ready();
}

/**
 * Stands around the guarded pages and shows them only to the person for whom they were loaded. When somebody else is
 * signed in by now, or nobody, everything is loaded again, and the guard sends a signed-out person to login. It compares
 * what is, instead of listening for changes: one that comes before the page is mounted counts like any other.
 */
export function SignedInArea() {
  const loadedFor = useLoaderData<Person | null>()?.uid ?? null;
  const { user, loading } = useAuth();
  const { revalidate, state } = useRevalidator();
  // Nobody is signed in: also if that was so when the person was read, after the guard had let them pass.
  const outdated = !loading && (!user || user.uid !== loadedFor);

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
