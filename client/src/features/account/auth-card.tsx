import { Check, FileQuestion } from "lucide-react";
import { type ReactNode, useEffect, useEffectEvent, useState } from "react";
import { Link, useLoaderData, useNavigate, useRevalidator, useSearchParams } from "react-router-dom";
import { failureText } from "../../auth/failure-text.ts";
import { useAuth } from "../../auth/session.tsx";
import { paths, returnPath } from "../../lib/paths.ts";
import { site } from "../../lib/site.ts";
import lanes from "../../ui/art/lanes.svg";
import { BusyButton } from "../../ui/busy-button.tsx";
import { notify } from "../../ui/notify.tsx";
import { PageMeta } from "../../ui/page-head.tsx";
import { type RequestedTask, TaskForVisitors } from "../tasks/requested-task.tsx";

const PROMISES = [
  "Every task names its price and its deadline",
  "One click places a bid; change it until the award",
  "No commission: you settle the payment directly",
];

type CardProps = { page: string; title: string; intro?: ReactNode; children: ReactNode };

/**
 * The layout of login, register and password reset: a form, beside the task that the visitor came for, or else beside an
 * illustration on wide screens. `page` is the document's title.
 */
export function AuthCard({ page, title, intro, children }: CardProps) {
  const requested = useLoaderData<RequestedTask>();
  if (requested && "task" in requested) {
    return (
      <TaskForVisitors {...requested}>
        <section className="card card-body gap-6" aria-labelledby="auth">
          <header className="space-y-2">
            <h2 id="auth" tabIndex={-1} className="text-2xl font-semibold">
              {title}
            </h2>
            {intro && <p className="quiet">{intro}</p>}
          </header>
          {children}
        </section>
      </TaskForVisitors>
    );
  }
  return (
    <div className="grid min-h-[calc(100dvh-4rem)] grid-cols-1 lg:grid-cols-2">
      <div className="grid grid-cols-1 content-start justify-items-center px-(--gutter) py-10 sm:content-center">
        <PageMeta title={page} />
        <section className="card card-body w-full max-w-md gap-6 shadow-card sm:p-8">
          <header className="space-y-2">
            <h1 className="text-3xl font-semibold">{title}</h1>
            {intro && <p className="quiet">{intro}</p>}
          </header>
          {requested && <NotShown {...requested} />}
          {children}
        </section>
      </div>
      <div
        data-theme="tasklane-dark"
        className="hidden content-center justify-items-center bg-[#0b3a31] px-(--gutter) py-10 lg:grid"
      >
        <div className="w-full max-w-lg space-y-8">
          <img src={lanes} alt="" width={720} height={640} loading="lazy" className="h-auto w-full" />
          <p className="text-3xl font-semibold tracking-tight text-balance">{site.tagline}</p>
          <ul className="space-y-3">
            {PROMISES.map((promise) => (
              <li key={promise} className="flex gap-3">
                <Check className="size-6 shrink-0 text-accent" />
                {promise}
              </li>
            ))}
          </ul>
        </div>
      </div>
    </div>
  );
}

/** Why the task that the visitor came for is not shown. */
function NotShown({ failure }: { failure: "gone" | "not loaded" }) {
  const { revalidate } = useRevalidator();
  return (
    <div role="status" className="alert items-start text-start">
      <FileQuestion />
      {failure === "gone" ? (
        <p>
          The task you came for is no longer available. Log in, or{" "}
          <Link to={paths.browse} className="link">
            browse other tasks
          </Link>
          .
        </p>
      ) : (
        <p>
          The task you came for did not load. You can still log in, or{" "}
          <button type="button" className="link" onClick={() => void revalidate()}>
            try again
          </button>
          .
        </p>
      )}
    </div>
  );
}

/** Time to read the success message before the page changes, in ms. */
const REDIRECT_DELAY_MS = 1500;

/**
 * Redirects after login and register. Call `begin` when the form is submitted, then `fail`, or `finish` once the user
 * is signed in: that redirects to the requested page, or home, after the delay; submit nothing while `isRedirecting`.
 * A user who is already signed in, or signs in in another tab, is redirected immediately unless a form is being sent.
 */
export function useReturnAfterSignIn() {
  const navigate = useNavigate();
  const [params] = useSearchParams();
  const { user, loading } = useAuth();
  const [step, setStep] = useState<"waiting" | "sending" | "done">("waiting");
  const leave = useEffectEvent(() => void navigate(returnPath(params), { replace: true }));

  useEffect(() => {
    if (user && !loading && step === "waiting") leave();
  }, [user, loading, step]);

  useEffect(() => {
    if (step !== "done") return;
    const timer = window.setTimeout(() => leave(), REDIRECT_DELAY_MS);
    return () => window.clearTimeout(timer);
  }, [step]);

  return {
    begin: () => {
      setStep("sending");
      notify.dismiss("session");
    },
    fail: () => setStep("waiting"),
    finish: () => setStep("done"),
    isRedirecting: step === "done",
  };
}

type GoogleProps = Pick<ReturnType<typeof useReturnAfterSignIn>, "begin" | "fail" | "finish">;

/** "Login with Google", below the login and register forms; {@link useReturnAfterSignIn} redirects afterwards. */
export function GoogleButton({ begin, fail, finish }: GoogleProps) {
  const { signInWithGoogle } = useAuth();
  const [busy, setBusy] = useState(false);

  const signIn = async () => {
    setBusy(true);
    begin();
    try {
      await signInWithGoogle();
      notify.success("Google Login Successfully!", { position: "top-right", topic: "session" });
      finish();
    } catch (error) {
      notify.error(failureText(error), { topic: "session" });
      fail();
      setBusy(false);
    }
  };

  return (
    <BusyButton className="btn w-full btn-outline" busy={busy} onClick={signIn}>
      <svg viewBox="0 0 24 24" className="size-5" aria-hidden="true">
        <path
          fill="none"
          stroke="currentColor"
          strokeWidth="3"
          strokeLinecap="round"
          d="M18.5 6.5A8.5 8.5 0 1 0 20.5 12H12.5"
        />
      </svg>
      Login with Google
    </BusyButton>
  );
}
