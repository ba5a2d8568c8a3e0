import { CloudOff, FileQuestion, TriangleAlert } from "lucide-react";
import { useEffect } from "react";
import { Link, useRouteError } from "react-router-dom";
import { useAuth } from "../auth/auth-context.tsx";
import { AuthFailure } from "../auth/auth-gateway.ts";
import { failureText } from "../auth/failure-text.ts";
import { paths } from "../lib/paths.ts";
import { ApiProblem, isSessionOver } from "../lib/problem.ts";
import { notify } from "../ui/notify.ts";
import { PageMeta } from "../ui/page-meta.tsx";
import { RetryButton } from "../ui/retry-button.tsx";
import { Spinner } from "../ui/spinner.tsx";
import { StatePanel } from "../ui/state-panel.tsx";

/** What stands in a page's place when it could not be loaded: what happened, and a way on. */
export function RouteError() {
  const error = useRouteError();
  if (isSessionOver(error)) return <SessionOver />;
  return (
    <div className="page py-10">
      <PageMeta title="Error" />
      <Explanation error={error} />
    </div>
  );
}

/** Signs out, so that the guard asks for login and remembers this page; with the old session it would lead back here. */
function SessionOver() {
  const { signOut } = useAuth();
  useEffect(() => {
    notify.info("Your session has ended. Please log in again.", { topic: "session" });
    void signOut();
  }, [signOut]);
  return <Spinner label="Leading you to login" />;
}

function Explanation({ error }: { error: unknown }) {
  if (error instanceof ApiProblem && (error.code === "task-not-found" || error.code === "invalid-id")) {
    return (
      <StatePanel
        heading="h1"
        icon={<FileQuestion className="size-7" />}
        title="This task is not here"
        action={
          <Link to={paths.browse} className="btn btn-primary">
            Browse Tasks
          </Link>
        }
      >
        It may have been deleted by its client, or the address is not complete.
      </StatePanel>
    );
  }
  if (error instanceof ApiProblem || error instanceof AuthFailure) {
    return (
      <StatePanel
        heading="h1"
        tone="error"
        icon={isOffline(error) ? <CloudOff className="size-7" /> : <TriangleAlert className="size-7" />}
        title="This page did not load"
        action={<RetryButton />}
      >
        {error instanceof ApiProblem ? error.message : failureText(error)}
        {error instanceof ApiProblem && error.requestId && (
          <p className="text-sm">Reference: {error.requestId}</p>
        )}
      </StatePanel>
    );
  }
  // The rest is a part of the app that did not arrive (no connection, or a new version was released), or a bug.
  return (
    <StatePanel
      heading="h1"
      tone="error"
      icon={<TriangleAlert className="size-7" />}
      title="This page did not load"
      action={
        <button type="button" className="btn btn-primary" onClick={() => window.location.reload()}>
          Reload the page
        </button>
      }
    >
      {isMissingPart(error)
        ? "A part of it did not arrive. Check your connection and reload the page."
        : "Something went wrong in this page, and it is our mistake. Reload the page. If it happens again, write to us."}
    </StatePanel>
  );
}

function isOffline(error: ApiProblem | AuthFailure): boolean {
  return error.code === "offline" || error.code === "network";
}

// Browsers have no name for it, each has words of its own.
function isMissingPart(error: unknown): boolean {
  return (
    error instanceof Error && /dynamically imported module|importing a module script/i.test(error.message)
  );
}
