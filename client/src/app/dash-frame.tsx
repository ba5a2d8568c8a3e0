import type { ReactNode } from "react";
import { Spinner } from "../ui/state-panel.tsx";
import { TopBar } from "./top-bar.tsx";

/** The dashboard's page. Overrides the margins of pages that have their own, such as the task's details. */
export const DASH_MAIN =
  "min-w-0 px-4 pt-8 pb-28 short:pb-8 sideways:pt-4 lg:px-10 lg:pb-16 [&_.page]:mx-0 [&_.page]:p-0";

type Props = { hidesDock?: boolean; links?: ReactNode; children: ReactNode };

/** The dashboard's frame: a top bar, and beside the page a sidebar, or below it a dock. */
export function DashFrame({ hidesDock = false, links, children }: Props) {
  return (
    <div
      className={`${hidesDock ? "sm:max-lg:[--tab-bar:calc(4rem+env(safe-area-inset-bottom))]" : "max-lg:[--tab-bar:calc(4rem+env(safe-area-inset-bottom))]"} min-h-dvh sideways:grid sideways:grid-cols-[5.5rem_minmax(0,1fr)] sideways:grid-rows-[4rem_minmax(0,1fr)] lg:grid lg:grid-cols-[15rem_minmax(0,1fr)] lg:grid-rows-[4rem_minmax(0,1fr)]`}
    >
      <TopBar className="sideways:col-span-2 lg:col-span-2" inside="px-4 lg:px-6" />
      <nav
        aria-label="Dashboard"
        className="border-base-300 sideways:border-r sideways:bg-base-100 lg:border-r lg:bg-base-100"
      >
        {links}
      </nav>
      {children}
    </div>
  );
}

/** The frame before anything of the dashboard has loaded. */
export function DashLoading() {
  return (
    <DashFrame>
      <main id="main" className={DASH_MAIN}>
        <Spinner />
      </main>
    </DashFrame>
  );
}
