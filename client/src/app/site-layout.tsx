import { Suspense, useEffect } from "react";
import { Outlet, useLocation, useNavigation } from "react-router-dom";
import { keepFocusWithin } from "../ui/focus-keeper.ts";
import { Spinner } from "../ui/state-panel.tsx";
import { Footer } from "./footer.tsx";
import { TopBar } from "./top-bar.tsx";

/**
 * The page's main area. While another page is loading it shows a spinner; the old page stays mounted behind it, so that
 * no input is lost if the navigation fails.
 */
export function MainArea({ className = "" }: { className?: string }) {
  const navigation = useNavigation();
  const here = useLocation();
  const leaving = navigation.state === "loading" && navigation.location.pathname !== here.pathname;
  return (
    <main
      ref={keepFocusWithin}
      id="main"
      tabIndex={-1}
      className={`relative focus:outline-none ${className}`}
    >
      {leaving && (
        <div className="absolute inset-x-0 top-0 z-10">
          <Spinner label="Loading the page" />
        </div>
      )}
      <div className={leaving ? "opacity-30 transition-opacity delay-150" : undefined} inert={leaving}>
        <Suspense fallback={<Spinner />}>
          <Started />
          <Outlet />
        </Suspense>
      </div>
    </main>
  );
}

/**
 * Says that the page is interactive, and has presses repeated that came too early (index.html). Within the main area,
 * which React hydrates after the layout.
 */
export function Started() {
  useEffect(() => {
    delete document.documentElement.dataset["starting"];
    dispatchEvent(new Event("tasklane-started"));
  }, []);
  return null;
}

/** The shared layout of the public pages. */
export function SiteLayout() {
  return (
    <div className="flex min-h-dvh flex-col">
      <TopBar inside="page" />
      <MainArea className="min-h-[calc(100dvh-4rem)] grow" />
      <Footer />
    </div>
  );
}
