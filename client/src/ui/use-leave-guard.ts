import { useEffect } from "react";
import { useBlocker, useLocation } from "react-router-dom";
import { confirm } from "./popup.ts";

/** Asks before typed, unsent input is left: within the app with a popup, on closing or reloading with the browser's own. */
export function useLeaveGuard(unsent: boolean, question: { title: string; text: string; yes: string }): void {
  const { title, text, yes } = question;
  const { pathname } = useLocation();
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) =>
      unsent && currentLocation.pathname === pathname && nextLocation.pathname !== pathname,
  );

  useEffect(() => {
    if (blocker.state !== "blocked") return;
    void confirm({ title, text, yes }).then((leave) => (leave ? blocker.proceed() : blocker.reset()));
  }, [blocker, title, text, yes]);

  useEffect(() => {
    if (!unsent) return;
    const warn = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener("beforeunload", warn);
    return () => window.removeEventListener("beforeunload", warn);
  }, [unsent]);
}
