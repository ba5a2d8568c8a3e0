import { useEffect, useRef } from "react";
import { type To, useNavigate, useNavigation } from "react-router-dom";

/**
 * Leads to another place once something is over, such as the message of a success. Whoever has gone elsewhere by then, is
 * on the way, fills in something or is asked something is left alone. What asked for it may be gone: a completed task leaves a list of others.
 */
export function useNavigateAfter(): (over: Promise<unknown>, to: To) => Promise<void> {
  const navigate = useNavigate();
  const { state } = useNavigation();
  const isLeaving = useRef(false);
  useEffect(() => {
    isLeaving.current = state !== "idle";
  }, [state]);
  return async (over, to) => {
    const { href } = window.location;
    const { activeElement: focused } = document;
    await over;
    const { activeElement: field } = document;
    const isFillingIn = field !== focused && field?.matches("input, select, textarea");
    const isAsked = document.querySelector(".swal2-modal") !== null;
    if (isLeaving.current || isFillingIn || isAsked || window.location.href !== href) return;
    await navigate(to);
  };
}
