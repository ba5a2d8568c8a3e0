import { useEffect, useState } from "react";
import { Outlet, ScrollRestoration, useLocation } from "react-router-dom";
import { useAuth } from "../auth/auth-context.tsx";
import { ToastArea } from "../ui/toast-area.tsx";
import { Tooltips } from "../ui/tooltips.tsx";
import { RouteAnnouncer } from "./route-announcer.tsx";
import { useLogOut } from "./use-log-out.ts";

/** What every page stands in, whatever its layout. */
export function Root() {
  const { key } = useLocation();
  const [shown, setShown] = useState(false);
  const { ready } = useAuth();
  useLogOut();
  useEffect(() => {
    // Who is signed in is asked once the page is shown. Without the provider the pages still work for visitors; what
    // needs the session says so itself.
    const start = () => void ready().catch(() => undefined);
    const idle = window.setTimeout(start, 0);
    return () => window.clearTimeout(idle);
  }, [ready]);
  useEffect(() => {
    setShown(true);
    // Heard by going-back.ts.
    window.dispatchEvent(new Event("shown"));
  }, [key]);
  return (
    <>
      <a href="#main" className="btn btn-primary fixed top-2 left-2 z-50 -translate-y-20 focus:translate-y-0">
        Skip to content
      </a>
      <RouteAnnouncer />
      <Outlet />
      <ToastArea />
      <Tooltips />
      {/* The place after a reload is news of the router, which React hears only once the page is on the screen. */}
      {shown && <ScrollRestoration />}
    </>
  );
}
