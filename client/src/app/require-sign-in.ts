import { type LoaderFunctionArgs, type MiddlewareFunction, redirect } from "react-router-dom";
import type { Person } from "../auth/auth-gateway.ts";
import { sessionOf } from "../auth/session.ts";
import { findDrafts } from "../lib/drafts.ts";
import { paths, withReturnPath } from "../lib/paths.ts";

/**
 * The sign-in guard: waits for the session, then lets a signed-in person pass and sends a visitor
 * to login with the wanted path and query remembered. As middleware it runs before the loaders of the pages below.
 */
export const requireSignIn: MiddlewareFunction = async ({ context, request }, next) => {
  if (!(await sessionOf({ context }).ready())) {
    const { pathname, search } = new URL(request.url);
    throw redirect(withReturnPath(paths.login, pathname + search));
  }
  await findDrafts();
  return next();
};

/** The person for whom the guarded pages are loaded (see signed-in-area.tsx). */
export async function guardLoader(args: LoaderFunctionArgs): Promise<Person | null> {
  return sessionOf(args).ready();
}
