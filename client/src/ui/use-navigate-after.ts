import { useEffect, useRef } from "react";
import { type To, useNavigate, useNavigation } from "react-router-dom";

/**
 * Navigates once a promise resolves, such as that of a success message; not if the person has left the page by then, is
 * leaving it, is filling in a field or sees a prompt. Works even if the calling component was unmounted meanwhile.
 */
export function useNavigateAfter(): (finished: Promise<unknown>, to: To) => Promise<void> {
  const navigate = useNavigate();
  const { state } = useNavigation();
  const isLeaving = useRef(false);
  useEffect(() => {
    isLeaving.current = state !== "idle";
  }, [state]);
  return async (finished, to) => {
    const { href } = window.location;
    const { activeElement: focused } = document;
    await finished;
    const { activeElement: field } = document;
    const isFillingIn = field !== focused && field?.matches("input, select, textarea");
    const isPromptOpen = document.querySelector(".swal2-modal") !== null;
    if (isLeaving.current || isFillingIn || isPromptOpen || window.location.href !== href) return;
    await navigate(to);
  };
}
