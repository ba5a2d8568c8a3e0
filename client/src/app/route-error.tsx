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

/** Shown in place of a page that could not be loaded: what happened, and what to do next. */
export function RouteError() {
  const error = useRouteError();
  if (isSessionOver(error)) return <SessionOver />;
  return <ErrorPage>{isLoadFailure(error) ? <NotLoaded /> : <Explanation error={error} />}</ErrorPage>;
}

function ErrorPage({ children }: { children: ReactNode }) {
  return (
    <div className="page grid max-w-none! min-h-[70dvh] grid-cols-1 content-center py-10">
      <PageMeta title="Error" />
      <div className="mx-auto grid w-full max-w-2xl grid-cols-1">{children}</div>
    </div>
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
  const [failure, setFailure] = useState<unknown>();
  const endSession = useCallback(() => {
    signOut().then(() => {
      notify.info("Your session has ended. Please log in again.", { topic: "session" });
      return revalidate();
    }, setFailure);
  }, [signOut, revalidate]);
  useEffect(endSession, [endSession]);
  if (failure === undefined) return <Spinner label="Redirecting to login" />;
  const retry = () => {
    setFailure(undefined);
    endSession();
  };
  return (
    <ErrorPage>
      <Failure
        Icon={CloudOff}
        title="Your session has ended"
        action={
          <button type="button" className="btn btn-primary" onClick={retry}>
            Log in again
          </button>
        }
      >
        {NO_SIGN_IN_SERVICE}
      </Failure>
    </ErrorPage>
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
    <Failure
      Icon={CloudOff}
      title={online ? NOT_LOADED : "You are offline"}
      action={<ReloadButton automatic />}
    >
      {online ? "Part of it failed to load. Check your connection and reload the page." : LOADS_AUTOMATICALLY}
    </Failure>
  );
}

type FailureProps = {
  Icon?: LucideIcon;
  title?: string;
  /** False if nothing is wrong but the address. */
  isError?: boolean;
  action: ReactNode;
  children: ReactNode;
};

const NOT_LOADED = "This page did not load";

/** What happened, with what can be done about it, and the link home. */
function Failure({
  Icon = TriangleAlert,
  title = NOT_LOADED,
  isError = true,
  action,
  children,
}: FailureProps) {
  return (
    <StatePanel
      heading="h1"
      tone={isError ? "error" : "plain"}
      icon={<Icon className="size-7" />}
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
  );
}

const LOADS_AUTOMATICALLY = "This page reloads automatically once you are back online.";

function Explanation({ error }: { error: unknown }) {
  const online = useOnline();
  if (error instanceof ApiProblem && (error.code === "task-not-found" || error.code === "invalid-id")) {
    return (
      <Failure
        Icon={FileQuestion}
        title="Task not found"
        isError={false}
        action={
          <Link to={paths.browse} className="btn btn-primary">
            Browse Tasks
          </Link>
        }
      >
        It may have been deleted by its client, or the link is incomplete.
      </Failure>
    );
  }
  if (error instanceof ApiProblem && error.code === "account-suspended")
    return <Suspended reason={error.message} />;
  if (error instanceof ApiProblem || error instanceof AuthFailure) {
    const isUnreachable = error.code === "offline" || error.code === "network";
    const offline = isUnreachable && !online;
    return (
      <Failure
        Icon={isUnreachable ? CloudOff : TriangleAlert}
        title={offline ? "You are offline" : NOT_LOADED}
        action={<RetryButton />}
      >
        {offline ? LOADS_AUTOMATICALLY : error instanceof ApiProblem ? error.message : NO_SIGN_IN_SERVICE}
        {error instanceof ApiProblem && error.requestId && (
          <p className="text-sm">Reference: {error.requestId}</p>
        )}
      </Failure>
    );
  }
  return (
    <Failure action={<ReloadButton />}>
      Something went wrong on this page, and it is our fault. Reload the page. If it happens again, write to
      us.
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

/** Not the text for each failure, which every page would load. */
const NO_SIGN_IN_SERVICE = "We can't reach the sign-in service. Check your connection and try again.";
