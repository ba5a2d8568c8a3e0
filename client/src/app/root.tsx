import { type MouseEvent, useEffect, useInsertionEffect, useLayoutEffect, useRef, useState } from "react";
import { Outlet, ScrollRestoration, useLocation } from "react-router-dom";
import { useAuth } from "../auth/session.tsx";
import { type Address, paths, requestedTaskId } from "../lib/paths.ts";
import { AboveDialogs } from "../ui/above-dialogs.tsx";
import { dismissPrompt } from "../ui/confirm.ts";
import { lazyModule, whenIdle } from "../ui/lazy-module.ts";
import { ToastArea } from "../ui/notify.tsx";
import { HeartContext } from "../ui/task-heart.tsx";
import { useControls } from "./top-bar.tsx";
import { useLogOut } from "./use-log-out.ts";

// Loaded when idle, so that lists do not wait for their save buttons.
const useHearts = lazyModule(() => import("../features/saved-tasks/save-button.tsx"), { idle: true });

/** Wraps every page, in both layouts. */
export function Root() {
  const { ready, user } = useAuth();
  const hearts = useHearts();
  useLogOut();
  // When idle, so that the provider's SDK never delays the page. If it fails to load, pages still work for visitors, and
  // whatever needs the session reports the error itself.
  useEffect(() => whenIdle(() => void ready().catch(() => undefined)), [ready]);
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
      {user && <SignedIn key={user.uid} uid={user.uid} />}
      <AboveDialogs>
        <ToastArea />
      </AboveDialogs>
      <Tooltips />
      <ScrollRestoration storageKey="tasklane.scroll-positions" />
      <KeepPlace />
    </>
  );
}

function SignedIn({ uid }: { uid: string }) {
  const controls = useControls();
  return controls ? <controls.SignedInServices uid={uid} /> : null;
}

/** Whether a page continues another: login shows the task that the visitor was reading; the reset of a password does not. */
function continues(before: Address, after: Address): boolean {
  if ([before.pathname, after.pathname].includes(paths.forgotPassword)) return false;
  const task = requestedTaskId(before);
  return task !== undefined && after.pathname.startsWith("/auth/") && task === requestedTaskId(after);
}

/** Keeps the scroll position on a page that continues the one before, where `ScrollRestoration` has gone to the top. */
function KeepPlace() {
  const location = useLocation();
  const before = useRef({ location, y: 0 });
  useInsertionEffect(() => {
    before.current.y = scrollY;
  }, [location]);
  useLayoutEffect(() => {
    if (continues(before.current.location, location)) scrollTo(0, before.current.y);
    before.current.location = location;
  }, [location]);
  return null;
}

/** Moves focus without changing the URL: the router would not handle going back from a hash set by the browser. */
function skip(event: MouseEvent) {
  event.preventDefault();
  document.getElementById("main")?.focus();
}

/**
 * After a page change, closes any open prompt, moves focus to the main area or the element that the hash names, and
 * announces the new title, as a full page load would. On the first page, when only the query (filters) changes, and on a
 * page that continues the one before, focus stays where it is; if it was on the link to another form, it moves to that.
 */
function RouteAnnouncer() {
  const { pathname, search, hash } = useLocation();
  const previous = useRef({ pathname, search, hash });
  const [message, setMessage] = useState("");

  useEffect(() => {
    const before = previous.current;
    previous.current = { pathname, search, hash };
    if (before.pathname + before.hash === pathname + hash) return;
    dismissPrompt();
    const continued = continues(before, previous.current);
    const isFocusGone = before.pathname.startsWith("/auth/") && document.activeElement === document.body;
    if (continued && !isFocusGone) return;
    const target =
      document.getElementById(continued ? "auth" : hash.slice(1)) ?? document.getElementById("main");
    // Another form is read from its beginning.
    target?.focus({ preventScroll: !continued });
    // The page sets its title in its own effect, which may run after this one.
    const timer = window.setTimeout(() => setMessage(document.title), 100);
    return () => window.clearTimeout(timer);
  }, [pathname, hash]);

  return (
    <div className="sr-only" aria-live="polite">
      {message}
    </div>
  );
}

/**
 * The tooltips of icon buttons, loaded on the first mouse movement or key press: touch screens do not need them, and
 * screen readers have the buttons' names anyway.
 */
export function Tooltips() {
  const [module, setModule] = useState<typeof import("../ui/icon-tooltip.tsx")>();

  useEffect(() => {
    const listeners = new AbortController();
    const load = (event: Event) => {
      if (event instanceof PointerEvent && event.pointerType !== "mouse") return;
      listeners.abort();
      // The catch also covers Vite's preload of the styles.
      import("../ui/icon-tooltip.tsx").then(setModule).catch(() => undefined);
    };
    for (const type of ["pointerover", "keydown"]) window.addEventListener(type, load, listeners);
    return () => listeners.abort();
  }, []);

  return module ? <module.IconTooltip /> : null;
}
