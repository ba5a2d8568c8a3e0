import { useEffect, useRef, useState } from "react";
import { useLocation } from "react-router-dom";

/**
 * After a page change moves focus to the main area and says the new title, as a full page load would.
 * The first page and changes of the query (filters) leave focus where it is.
 */
export function RouteAnnouncer() {
  const { pathname } = useLocation();
  const previous = useRef(pathname);
  const [message, setMessage] = useState("");

  useEffect(() => {
    if (previous.current === pathname) return;
    previous.current = pathname;
    document.getElementById("main")?.focus({ preventScroll: true });
    // The page sets its title in an effect of its own, which may run after this one.
    const timer = window.setTimeout(() => setMessage(document.title), 100);
    return () => window.clearTimeout(timer);
  }, [pathname]);

  return (
    <div className="sr-only" aria-live="polite">
      {message}
    </div>
  );
}
