import { CloudOff, FileQuestion, type LucideIcon, TriangleAlert } from "lucide-react";
import { type ReactNode, useCallback, useEffect, useState } from "react";
import { Link, useRevalidator, useRouteError } from "react-router-dom";
import { AuthFailure } from "../auth/person.ts";
import { useAuth } from "../auth/session.tsx";
import { isLoadFailure, reloadOnce } from "../lib/load-failures.ts";
import { paths } from "../lib/paths.ts";
import { ApiProblem, isSessionOver } from "../lib/problem.ts";
import { site } from "../lib/site.ts";
import { notify } from "../ui/notify.tsx";
import { PageMeta } from "../ui/page-head.tsx";
import { ReloadButton, RetryButton } from "../ui/retry-buttons.tsx";
import { Spinner, StatePanel } from "../ui/state-panel.tsx";
import { useOnline } from "../ui/use-reconnect.ts";
import { Started } from "./site-layout.tsx";
import { useLogOutButton } from "./use-log-out.ts";

const NOT_LOADED = "This page did not load";
const OFFLINE = "You are offline";
const LOADS_AUTOMATICALLY = "This page reloads automatically once you are back online.";
/** Not the text for each failure, which every page would load. */
const NO_SIGN_IN_SERVICE = "We can't reach the sign-in service. Check your connection and try again.";

/** Shown in place of a page that could not be loaded: what happened, and what to do next. */
export function RouteError() {
  const error = useRouteError();
  const online = useOnline();
  if (isSessionOver(error)) return <SessionOver />;
  if (isLoadFailure(error)) return <NotLoaded />;
  const problem = error instanceof ApiProblem ? error : undefined;
  const { code, requestId } = problem ?? {};
  if (code === "task-not-found" || code === "invalid-id")
    return (
      <Failure
        Icon={FileQuestion}
        title="Task not found"
        tone="plain"
        action={
          <Link to={paths.browse} className="btn btn-primary">
            Browse Tasks
          </Link>
        }
      >
        It may have been deleted by its client, or the link is incomplete.
      </Failure>
    );
  if (problem && code === "account-suspended") return <Suspended reason={problem.message} />;
  if (!problem && !(error instanceof AuthFailure))
    return (
      <Failure action={<ReloadButton />}>
        Something went wrong on this page, and it is our fault. Reload the page. If it happens again, write to
        us.
      </Failure>
    );
  const isUnreachable = ["offline", "network"].includes(code ?? (error as AuthFailure).code);
  const isOffline = isUnreachable && !online;
  return (
    <Failure
      Icon={isUnreachable ? CloudOff : TriangleAlert}
      title={isOffline ? OFFLINE : NOT_LOADED}
      action={<RetryButton />}
    >
      {isOffline ? LOADS_AUTOMATICALLY : (problem?.message ?? NO_SIGN_IN_SERVICE)}
      {requestId && <p className="text-sm">Reference: {requestId}</p>}
    </Failure>
  );
}

/** The same without a surrounding layout. */
export function BareRouteError() {
  return (
    <main id="main" tabIndex={-1}>
      <Started />
      <RouteError />
    </main>
  );
}

/**
 * Signs out, so that the guard redirects to login, which with the old session would redirect back here. Revalidates
 * itself, because it may have replaced the guarded area that otherwise does so.
 */
function SessionOver() {
  const { signOut } = useAuth();
  const { revalidate } = useRevalidator();
  const [hasFailed, setHasFailed] = useState(false);
  const endSession = useCallback(() => {
    setHasFailed(false);
    signOut().then(
      () => {
        notify.info("Your session has ended. Please log in again.", { topic: "session" });
        return revalidate();
      },
      () => setHasFailed(true),
    );
  }, [signOut, revalidate]);
  useEffect(endSession, [endSession]);
  if (!hasFailed) return <Spinner label="Redirecting to login" />;
  return (
    <Failure
      Icon={CloudOff}
      title="Your session has ended"
      action={
        <button type="button" className="btn btn-primary" onClick={endSession}>
          Log in again
        </button>
      }
    >
      {NO_SIGN_IN_SERVICE}
    </Failure>
  );
}

/** The page's code failed to load. Nothing on the screen can be lost, so the first reload is automatic. */
function NotLoaded() {
  const online = useOnline();
  const [reloading, setReloading] = useState(true);
  useEffect(() => {
    void reloadOnce().then(setReloading);
  }, []);
  if (reloading) return <Spinner label="Loading the page" />;
  return (
    <Failure Icon={CloudOff} title={online ? NOT_LOADED : OFFLINE} action={<ReloadButton automatic />}>
      {online ? "Part of it failed to load. Check your connection and reload the page." : LOADS_AUTOMATICALLY}
    </Failure>
  );
}

/** Why an operator has suspended the account, and how to appeal. The public pages stay readable. */
function Suspended({ reason }: { reason: string }) {
  const logOut = useLogOutButton();
  return (
    <Failure
      title="Your account is suspended"
      action={
        <>
          <a href={`mailto:${site.contact.email}`} className="btn btn-primary">
            Write to us
          </a>
          <button type="button" className="btn btn-outline" onClick={logOut}>
            Log out
          </button>
        </>
      }
    >
      <p dir="auto">{reason}</p>
      <p>Write to {site.contact.email}, also to get a copy of your data or to have your account deleted.</p>
    </Failure>
  );
}

type FailureProps = {
  Icon?: LucideIcon;
  title?: string;
  /** `plain` if nothing is wrong but the address. */
  tone?: "plain" | "error";
  action: ReactNode;
  children: ReactNode;
};

/** What happened, with what can be done about it, and the link home. */
function Failure({
  Icon = TriangleAlert,
  title = NOT_LOADED,
  tone = "error",
  action,
  children,
}: FailureProps) {
  return (
    <div className="page grid max-w-none! min-h-[70dvh] grid-cols-1 content-center py-10">
      <PageMeta title="Error" />
      <div className="mx-auto grid w-full max-w-2xl grid-cols-1">
        <StatePanel
          heading="h1"
          tone={tone}
          icon={<Icon />}
          title={title}
          action={
            <div className="flex flex-wrap justify-center gap-3">
              {action}
              <Link to={paths.home} className="btn btn-ghost">
                Go Back Home
              </Link>
            </div>
          }
        >
          {children}
        </StatePanel>
      </div>
    </div>
  );
}
