import { useEffect, useEffectEvent } from "react";
import { useBlocker, useLocation } from "react-router-dom";
import { confirm } from "./confirm.ts";

/**
 * Asks before typed, unsent input is left, of which a draft stays: within the app with a popup, on closing or reloading
 * with the browser's own.
 */
export function useLeaveGuard(unsent: boolean, question: { title: string; text: string; yes: string }): void {
  const { title, text, yes } = question;
  const { pathname } = useLocation();
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) =>
      unsent && currentLocation.pathname === pathname && nextLocation.pathname !== pathname,
  );

  const isBlocked = blocker.state === "blocked";
  const ask = useEffectEvent(() => confirm({ title, text, yes, tone: "onward" }));
  // Where the last try leads: one can press Back again while the question stands.
  const answer = useEffectEvent((leave: boolean) => {
    if (blocker.state !== "blocked") return;
    if (leave) blocker.proceed();
    else blocker.reset();
  });
  useEffect(() => {
    if (isBlocked) void ask().then(answer);
  }, [isBlocked]);

  useEffect(() => {
    if (!unsent) return;
    const warn = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener("beforeunload", warn);
    return () => window.removeEventListener("beforeunload", warn);
  }, [unsent]);
}
