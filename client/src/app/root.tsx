import { useEffect, useState } from "react";
import { Outlet, ScrollRestoration, useLocation } from "react-router-dom";
import { ToastArea } from "../ui/toast-area.tsx";
import { RouteAnnouncer } from "./route-announcer.tsx";
import { SessionKeeper } from "./session-keeper.tsx";

/** What every page stands in, whatever its layout. */
export function Root() {
  const { key } = useLocation();
  const [shown, setShown] = useState(false);
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
      <SessionKeeper />
      <Outlet />
      <ToastArea />
      {/* The place after a reload is news of the router, which React hears only once the page is on the screen. */}
      {shown && <ScrollRestoration />}
    </>
  );
}
