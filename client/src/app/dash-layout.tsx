import { ClipboardList, HandCoins, LayoutDashboard, PlusCircle, Rows3, Settings } from "lucide-react";
import { NavLink } from "react-router-dom";
import { paths } from "../lib/paths.ts";
import { BarControls, HomeLink } from "./bar-controls.tsx";
import { MainArea } from "./main-area.tsx";

const LINKS = [
  { to: paths.dashboard, text: "Dashboard", short: "Dashboard", Icon: LayoutDashboard },
  { to: paths.dashBrowse, text: "Browse Tasks", short: "Browse", Icon: Rows3 },
  { to: paths.addTask, text: "Add Task", short: "Add", Icon: PlusCircle },
  { to: paths.myTasks, text: "My Posted Tasks", short: "Posted", Icon: ClipboardList },
  { to: paths.myBids, text: "My Bids", short: "Bids", Icon: HandCoins },
  // Five fit a phone's width; there, the profile card of the dashboard leads to the settings.
  { to: paths.settings, text: "Settings", Icon: Settings },
];

/** The dashboard's frame: a top bar, and a sidebar that is a dock at the bottom of small screens. */
export function Component() {
  return (
    <div className="min-h-dvh max-lg:[--tab-bar:calc(4rem+env(safe-area-inset-bottom))] lg:grid lg:grid-cols-[15rem_minmax(0,1fr)] lg:grid-rows-[4rem_minmax(0,1fr)]">
      <header className="@container sticky top-0 z-30 border-b border-base-300 bg-base-100/95 backdrop-blur lg:col-span-2">
        <div className="navbar flex-wrap justify-end gap-2 px-4 py-0 lg:px-6">
          <HomeLink crowded />
          <BarControls />
        </div>
      </header>
      <nav aria-label="Dashboard">
        <ul className="menu w-full gap-1 border-base-300 bg-base-100 p-4 text-base max-lg:hidden lg:sticky lg:top-16 lg:h-[calc(100dvh-4rem)] lg:flex-nowrap lg:overflow-y-auto lg:border-r">
          {LINKS.map(({ to, text, Icon }) => (
            <li key={to}>
              <NavLink to={to} className="gap-3 py-2.5 font-medium">
                <Icon aria-hidden="true" className="size-5" />
                {text}
              </NavLink>
            </li>
          ))}
        </ul>
        <div className="dock @container z-30 border-base-300 lg:hidden">
          {LINKS.map(
            ({ to, text, short, Icon }) =>
              short && (
                <NavLink key={to} to={to} aria-label={text} className="aria-[current=page]:text-primary">
                  <Icon aria-hidden="true" className="size-5" />
                  <span className="dock-label font-medium @max-[18rem]:hidden">{short}</span>
                </NavLink>
              ),
          )}
        </div>
      </nav>
      {/* What brings its own page margins, such as the task's details, leaves them to the dashboard. */}
      <MainArea className="min-w-0 px-4 pt-8 pb-28 lg:px-10 lg:pb-16 [&_.page]:p-0" />
    </div>
  );
}
