import { Bell, Menu, Moon, Sun } from "lucide-react";
import { Link, NavLink, useLocation } from "react-router-dom";
import type { Person } from "../auth/person.ts";
import { useAuth } from "../auth/session.tsx";
import { paths } from "../lib/paths.ts";
import { site } from "../lib/site.ts";
import { lazyModule } from "../ui/lazy-module.ts";
import { ReloadButton } from "../ui/retry-buttons.tsx";
import { usePopover } from "../ui/use-popover.ts";
import { useLogOutButton } from "./use-log-out.ts";

/**
 * The top bar of both layouts. On small screens its links fold into a popover, which the browser opens and closes,
 * restoring focus.
 */
export function TopBar({ className = "", inside }: { className?: string; inside: string }) {
  const { user } = useAuth();
  const menu = usePopover<HTMLUListElement>();

  const links = [
    { to: paths.home, text: "Home" },
    { to: paths.browse, text: "Browse Tasks" },
    { to: paths.about, text: "About us" },
    { to: paths.contact, text: "Contact" },
    ...(user ? [{ to: paths.dashboard, text: "Dashboard" }] : []),
  ];

  return (
    <header
      className={`@container sticky top-0 z-30 short:static border-b border-base-300 bg-base-100 ${className}`}
    >
      <div
        className={`navbar justify-end gap-1 py-0 @max-[14rem]:px-2 @min-[40rem]:gap-2 @5xl:gap-6 ${inside}`}
      >
        <Link to={paths.home} aria-label={`${site.brand}, home`} className="mr-auto rounded-field">
          <Logo isNarrow />
        </Link>
        <nav aria-label="Main">
          <ul
            ref={menu}
            id="site-menu"
            popover="auto"
            className="menu top-16 right-0 left-auto max-h-[calc(100dvh-4rem)] w-full flex-nowrap overflow-y-auto border-b border-base-300 bg-base-100 p-4 text-base text-base-content shadow-lift @max-5xl:not-open:hidden @5xl:static @5xl:flex @5xl:w-auto @5xl:flex-row @5xl:gap-1 @5xl:overflow-visible @5xl:border-0 @5xl:bg-transparent @5xl:p-0 @5xl:shadow-none"
          >
            {links.map(({ to, text }) => (
              <li key={to}>
                <NavLink to={to} end className="py-2 font-medium">
                  {text}
                </NavLink>
              </li>
            ))}
          </ul>
        </nav>
        <div className="flex items-center justify-end gap-1 @min-[40rem]:gap-2">
          <ThemeToggle />
          <AccountControls />
        </div>
        <button
          type="button"
          className="btn btn-square btn-ghost @5xl:hidden"
          aria-label="Menu"
          popoverTarget="site-menu"
        >
          <Menu className="size-5" />
        </button>
      </div>
    </header>
  );
}

// Loaded when idle: visitors do not need the controls, and for signed-in people the page comes first.
export const useControls = lazyModule(() => import("./account-menu.tsx"), { idle: true });

/** The logo and the brand name; `isNarrow` hides the name if a phone's bar has no room for it. */
export function Logo({ isNarrow = false }: { isNarrow?: boolean }) {
  return (
    <span className="flex items-center gap-2.5 text-xl font-semibold tracking-tight">
      <Mark />
      <span className={isNarrow ? "@max-[24.5rem]:hidden" : ""}>{site.brand}</span>
    </span>
  );
}

/** Three lanes with a task in each, as in public/favicon.svg; inline to save a request. */
function Mark() {
  return (
    <svg viewBox="0 0 32 32" width="32" height="32" aria-hidden="true">
      <rect width="32" height="32" rx="8" fill="#0f5c4d" />
      <path
        d="M7 10h18M7 16h18M7 22h18"
        stroke="#9ed8c3"
        strokeWidth="2.4"
        strokeLinecap="round"
        opacity=".55"
      />
      <rect x="8" y="7" width="10" height="6" rx="3" fill="#f2a53b" />
      <rect x="15" y="13" width="10" height="6" rx="3" fill="#fff" />
      <rect x="10" y="19" width="10" height="6" rx="3" fill="#9ed8c3" />
    </svg>
  );
}

/** Toggles between light and dark, by a script in index.html. CSS selects icon and label. */
function ThemeToggle() {
  return (
    <button
      type="button"
      className="btn btn-square btn-ghost"
      data-tooltip-content="Light or dark"
      data-theme-toggle=""
    >
      <Moon className="size-5 dark:hidden" />
      <Sun className="hidden size-5 dark:block" />
      <span className="sr-only dark:hidden">Switch to dark theme</span>
      <span className="sr-only hidden dark:block">Switch to light theme</span>
    </button>
  );
}

/** The bell, the avatar and LogOut, or Login and Sign up for visitors. */
function AccountControls() {
  const { user, loading, unknown } = useAuth();
  const { pathname, search: here } = useLocation();
  if (user) return <SignedIn user={user} />;
  // Reserves the space until the session is known.
  if (loading) return <span className="h-10 w-34 @max-[19.5rem]:w-14 @min-[40rem]:w-40" aria-hidden="true" />;
  // The session could not be determined: do not ask people to log in who already are.
  if (unknown) return <ReloadButton className="btn btn-outline" text="Reload to log in" />;
  // Between the pages of an account, what somebody came for stays in the URL.
  const search = pathname.startsWith("/auth/") ? here : "";
  return (
    <>
      <Link to={{ pathname: paths.login, search }} className="btn btn-ghost @max-[40rem]:px-2">
        Login
      </Link>
      <Link
        to={{ pathname: paths.register, search }}
        className="btn btn-primary @max-[19.5rem]:hidden @max-[40rem]:px-3"
      >
        Sign up
      </Link>
    </>
  );
}

/** The notification bell, the account menu, and LogOut, which on phones is only in that menu. */
function SignedIn({ user }: { user: Person }) {
  const controls = useControls();
  const logOut = useLogOutButton();
  return (
    <>
      {/* The key resets the state when another person signs in. */}
      {controls && <controls.SignedInControls key={user.uid} user={user} />}
      {/* Reserves the space. */}
      {controls === undefined && <span className="h-10 w-21 @min-[40rem]:w-22" aria-hidden="true" />}
      {/* If the code failed to load, at least link to the notifications page. */}
      {controls === null && (
        <Link to={paths.notifications} aria-label="Notifications" className="btn btn-square btn-ghost">
          <Bell className="size-5" />
        </Link>
      )}
      <button
        type="button"
        className={`quiet btn btn-ghost ${controls === null ? "" : "@max-[40rem]:hidden"}`}
        onClick={logOut}
      >
        LogOut
      </button>
    </>
  );
}
