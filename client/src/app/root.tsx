import { Outlet, ScrollRestoration } from "react-router-dom";
import { ToastArea } from "../ui/toast-area.tsx";
import { RouteAnnouncer } from "./route-announcer.tsx";
import { SessionKeeper } from "./session-keeper.tsx";

/** What every page stands in, whatever its layout. */
export function Root() {
  return (
    <>
      <a href="#main" className="btn btn-primary fixed top-2 left-2 z-50 -translate-y-20 focus:translate-y-0">
        Skip to content
      </a>
      <RouteAnnouncer />
      <SessionKeeper />
      <Outlet />
      <ToastArea />
      <ScrollRestoration />
    </>
  );
}
