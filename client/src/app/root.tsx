import { type MouseEvent, useEffect, useRef, useState } from "react";
import { Outlet, ScrollRestoration, useLocation } from "react-router-dom";
import { useAuth } from "../auth/auth-context.tsx";
import { lazyModule, whenIdle } from "../ui/lazy-module.ts";
import { ToastArea } from "../ui/notify.tsx";
import { dismissPrompt } from "../ui/popup.ts";
import { HeartContext } from "../ui/task-heart.tsx";
import { Tooltips } from "../ui/tooltips.tsx";
import { useLogOut } from "./use-log-out.ts";

// No list waits for its hearts.
const useHearts = lazyModule(() => import("../features/saved-tasks/save-button.tsx"), { idle: true });

/** What every page stands in, whatever its layout. */
export function Root() {
  const [shown, setShown] = useState(false);
  const { ready } = useAuth();
  const hearts = useHearts();
  useLogOut();
  useEffect(() => {
    // The provider's SDK never delays the page. Without the provider the pages still work for visitors; what
    // needs the session says so itself.
    return whenIdle(() => void ready().catch(() => undefined));
  }, [ready]);
  useEffect(() => setShown(true), []);
  return (
    <>
      {/* biome-ignore lint/a11y/useValidAnchor: it does lead to that part of the page. */}
      <a
        href="#main"
        onClick={skip}
        className="btn btn-primary fixed top-2 left-2 z-50 -translate-y-20 focus:translate-y-0"
      >
        Skip to content
      </a>
      <RouteAnnouncer />
      <HeartContext value={hearts?.TaskHeart ?? null}>
        <Outlet />
      </HeartContext>
      {hearts && <hearts.SavePendingTask />}
      <ToastArea />
      <Tooltips />
      {/* The place after a reload is news of the router, which React hears only once the page is on the screen. */}
      {shown && <ScrollRestoration />}
    </>
  );
}

/** Without a new address: the router would know nothing of that step back. */
function skip(event: MouseEvent) {
  event.preventDefault();
  document.getElementById("main")?.focus();
}

/**
 * After a page change closes what was asked on the page before, moves focus to the main area, or to the part of it that
 * the hash names, and says the new title, as a full page load would. The first page and changes of the query (filters)
 * leave focus where it is.
 */
function RouteAnnouncer() {
  const { pathname, hash } = useLocation();
  const place = pathname + hash;
  const previous = useRef(place);
  const [message, setMessage] = useState("");

  useEffect(() => {
    if (previous.current === place) return;
    previous.current = place;
    dismissPrompt();
    const part = document.getElementById(place.split("#")[1] ?? "") ?? document.getElementById("main");
    part?.focus({ preventScroll: true });
    // The page sets its title in an effect of its own, which may run after this one.
    const timer = window.setTimeout(() => setMessage(document.title), 100);
    return () => window.clearTimeout(timer);
  }, [place]);

  return (
    <div className="sr-only" aria-live="polite">
      {message}
    </div>
  );
}
