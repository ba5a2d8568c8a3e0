import { useEffect, useEffectEvent } from "react";
import { type Location, useBlocker, useLocation } from "react-router-dom";
import { confirm } from "./confirm.ts";

/**
 * Asks before a form with unsent input is left, although a draft is kept: within the app with a popup, on closing or
 * reloading with the browser's own prompt.
 */
export function useLeaveGuard(unsent: boolean, question: { title: string; text: string; yes: string }): void {
  const { title, text, yes } = question;
  const { pathname, search } = useLocation();
  // Another query may be another form, such as a copy of a task.
  const isHere = (location: Location) => location.pathname === pathname && location.search === search;
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) => unsent && isHere(currentLocation) && !isHere(nextLocation),
  );

  const isBlocked = blocker.state === "blocked";
  const ask = useEffectEvent(() => confirm({ title, text, yes, tone: "primary" }));
  // An effect event, because pressing Back again while the prompt is open changes the blocked navigation.
  const onAnswer = useEffectEvent((leave: boolean) => {
    if (blocker.state !== "blocked") return;
    if (leave) blocker.proceed();
    else blocker.reset();
  });
  useEffect(() => {
    if (isBlocked) void ask().then(onAnswer);
  }, [isBlocked]);

  useEffect(() => {
    if (!unsent) return;
    const warn = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener("beforeunload", warn);
    return () => window.removeEventListener("beforeunload", warn);
  }, [unsent]);
}
