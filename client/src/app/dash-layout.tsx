import { ClipboardList, HandCoins, LayoutDashboard, PlusCircle, Rows3, Settings } from "lucide-react";
import { Link, NavLink } from "react-router-dom";
import { paths } from "../lib/paths.ts";
import { site } from "../lib/site.ts";
import { Logo } from "../ui/logo.tsx";
import { AccountControls } from "./account-controls.tsx";
import { MainArea } from "./main-area.tsx";
import { ThemeToggle } from "./theme-toggle.tsx";

const LINKS = [
  { to: paths.dashboard, text: "Dashboard", Icon: LayoutDashboard },
  { to: paths.dashBrowse, text: "Browse Tasks", Icon: Rows3 },
  { to: paths.addTask, text: "Add Task", Icon: PlusCircle },
  { to: paths.myTasks, text: "My Posted Tasks", Icon: ClipboardList },
  { to: paths.myBids, text: "My Bids", Icon: HandCoins },
  // Five fit a phone's width; there, the profile card of the dashboard leads to the settings.
  { to: paths.settings, text: "Settings", Icon: Settings, wide: true },
];

/** The dashboard's frame (SPEC section 2): a sidebar, which is a tab bar at the bottom of small screens, and a top bar. */
export function DashLayout() {
  return (
    <div className="min-h-dvh lg:grid lg:grid-cols-[15rem_minmax(0,1fr)] lg:grid-rows-[4rem_minmax(0,1fr)]">
      <header className="@container sticky top-0 z-30 border-b border-base-300 bg-base-100/95 backdrop-blur lg:col-span-2">
        <div className="flex min-h-16 flex-wrap items-center justify-end gap-2 px-4 lg:px-6">
          <Link to={paths.home} aria-label={`${site.brand}, home`} className="mr-auto rounded-field">
            <Logo crowded />
          </Link>
          <ThemeToggle />
          <AccountControls />
        </div>
      </header>
      <nav
        aria-label="Dashboard"
        className="@container fixed inset-x-0 bottom-0 z-30 grid auto-cols-fr grid-flow-col border-t border-base-300 bg-base-100 pb-[env(safe-area-inset-bottom)] lg:sticky lg:top-16 lg:flex lg:h-[calc(100dvh-4rem)] lg:flex-col lg:gap-1 lg:border-t-0 lg:border-r lg:p-4"
      >
        {LINKS.map(({ to, text, Icon, wide }) => (
          <NavLink
            key={to}
            to={to}
            className={({ isActive }) =>
              `${wide ? "hidden lg:flex" : "flex"} flex-col items-center gap-1 px-1 py-2.5 text-center text-xs font-medium hover:bg-base-200 lg:flex-row lg:gap-3 lg:rounded-field lg:px-3 lg:text-left lg:text-base ${isActive ? "bg-primary/10 text-primary" : ""}`
            }
          >
            <Icon aria-hidden="true" className="size-5 shrink-0" />
            <span className="max-lg:@max-xs:sr-only">{text}</span>
          </NavLink>
        ))}
      </nav>
      {/* What brings its own page margins, such as the task's details, leaves them to the dashboard. */}
      <MainArea className="min-w-0 px-4 pt-8 pb-28 lg:px-10 lg:pb-16 [&_.page]:p-0" />
    </div>
  );
}
