import { type MouseEvent, useEffect, useLayoutEffect, useRef, useState } from "react";
import { Outlet, ScrollRestoration, useLocation } from "react-router-dom";
import { useAuth } from "../auth/session.tsx";
import { AboveDialogs } from "../ui/above-dialogs.tsx";
import { lazyModule, whenIdle } from "../ui/lazy-module.ts";
import { ToastArea } from "../ui/notify.tsx";
import { dismissPrompt } from "../ui/popup.ts";
import { HeartContext } from "../ui/task-heart.tsx";
import { Tooltips } from "../ui/tooltips.tsx";
import { useLogOut } from "./use-log-out.ts";

// Loaded when idle, so that lists do not wait for their save buttons.
const useHearts = lazyModule(() => import("../features/saved-tasks/save-button.tsx"), { idle: true });

/** Wraps every page, in both layouts. */
export function Root() {
  const [startY, setStartY] = useState<number>();
  const { ready } = useAuth();
  const hearts = useHearts();
  useLogOut();
  useEffect(() => {
    setStartY(scrollY);
    storePosition(scrollY);
    // When idle, so that the provider's SDK never delays the page. If it fails to load, pages still work for visitors,
    // and whatever needs the session reports the error itself.
    return whenIdle(() => void ready().catch(() => undefined));
  }, [ready]);
  // ScrollRestoration goes to the top before it restores the stored position.
  useLayoutEffect(() => {
    if (startY) scrollTo(0, startY);
  }, [startY]);
  return (
    <>
      {/* biome-ignore lint/a11y/useValidAnchor: it does go to that part of the page. */}
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
      <AboveDialogs>
        <ToastArea />
      </AboveDialogs>
      <Tooltips />
      {/* After the first render: only then does React receive the position that the router restores after a reload. */}
      {startY !== undefined && <ScrollRestoration storageKey={SCROLL_POSITIONS} />}
    </>
  );
}

const SCROLL_POSITIONS = "tasklane.scroll-positions";

/** If the page was scrolled before React replaced it, `ScrollRestoration` has to restore that position after a reload. */
function storePosition(y: number): void {
  if (y === 0) return;
  try {
    const stored = JSON.parse(sessionStorage.getItem(SCROLL_POSITIONS) ?? "{}");
    sessionStorage.setItem(SCROLL_POSITIONS, JSON.stringify({ ...stored, [history.state.key]: y }));
  } catch {
    // Storage is blocked.
  }
}

/** Moves focus without changing the URL: the router would not handle going back from a hash set by the browser. */
function skip(event: MouseEvent) {
  event.preventDefault();
  document.getElementById("main")?.focus();
}

/**
 * After a page change, closes any open prompt, moves focus to the main area or the element that the hash names, and
 * announces the new title, as a full page load would. On the first page and when only the query (filters) changes,
 * focus stays where it is.
 */
function RouteAnnouncer() {
  const { pathname, hash } = useLocation();
  const location = pathname + hash;
  const previous = useRef(location);
  const [message, setMessage] = useState("");

  useEffect(() => {
    if (previous.current === location) return;
    previous.current = location;
    dismissPrompt();
    const target = document.getElementById(location.split("#")[1] ?? "") ?? document.getElementById("main");
    target?.focus({ preventScroll: true });
    // The page sets its title in its own effect, which may run after this one.
    const timer = window.setTimeout(() => setMessage(document.title), 100);
    return () => window.clearTimeout(timer);
  }, [location]);

  return (
    <div className="sr-only" aria-live="polite">
      {message}
    </div>
  );
}
