import { Bell, Moon, Sun } from "lucide-react";
import { Link } from "react-router-dom";
import { useAuth } from "../auth/auth-context.tsx";
import type { Person } from "../auth/auth-gateway.ts";
import { paths } from "../lib/paths.ts";
import { site } from "../lib/site.ts";
import { applyTheme, shownTheme } from "../lib/theme.ts";
import { lazyModule } from "../ui/lazy-module.ts";
import { ReloadButton } from "../ui/retry-buttons.tsx";
import { useLogOutButton } from "./use-log-out.ts";

// A visitor does not need them, and whoever is signed in can do without: the page comes first.
const useControls = lazyModule(() => import("./account-menu.tsx"), { idle: true });

/** The brand: three lanes with a task in each, and the name; `isNarrow` leaves the name out where a phone's bar has no room for it. */
export function Logo({ isNarrow = false }: { isNarrow?: boolean }) {
  return (
    <span className="flex items-center gap-2.5 text-xl font-semibold tracking-tight">
      <Mark />
      <span className={isNarrow ? "@max-[24.3rem]:hidden" : ""}>{site.brand}</span>
    </span>
  );
}

/** What public/favicon.svg shows, within the page: one request less before it is complete. */
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

/** The end of a top bar: theme, and then avatar and LogOut for a signed-in person, Login and Sign up for a visitor. */
export function BarControls() {
  return (
    <div className="flex flex-wrap items-center justify-end gap-1 @min-[40rem]:gap-2">
      <ThemeToggle />
      <AccountControls />
    </div>
  );
}

/**
 * Flips between light and dark. What it says is left to CSS, so that a prerendered button is right
 * before any script has run.
 */
function ThemeToggle() {
  return (
    <button
      type="button"
      className="btn btn-square btn-ghost"
      data-tooltip-content="Light or dark"
      // Only in prerendered HTML: index.html's own script flips the theme until this button is there.
      data-early-theme={typeof document === "undefined" ? "" : undefined}
      onClick={() => applyTheme(shownTheme() === "dark" ? "light" : "dark")}
    >
      <Moon aria-hidden="true" className="size-5 dark:hidden" />
      <Sun aria-hidden="true" className="hidden size-5 dark:block" />
      <span className="sr-only dark:hidden">Switch to dark theme</span>
      <span className="sr-only hidden dark:block">Switch to light theme</span>
    </button>
  );
}

function AccountControls() {
  const { user, loading, unknown } = useAuth();
  if (user) return <SignedIn user={user} />;
  // Keeps the place until it is known who is there.
  if (loading) return <span className="h-10 w-34 @min-[40rem]:w-40" aria-hidden="true" />;
  // Neither signed in nor out: whoever is signed in must not be told to log in.
  if (unknown) return <ReloadButton className="btn btn-outline" text="Reload to sign in" />;
  return (
    <div className="flex flex-wrap items-center gap-1 @min-[40rem]:gap-2">
      <Link to={paths.login} className="btn btn-ghost @max-[40rem]:px-2">
        Login
      </Link>
      <Link to={paths.register} className="btn btn-primary @max-[40rem]:px-3">
        Sign up
      </Link>
    </div>
  );
}

/** The bell, the avatar with its menu, and LogOut, which phones have in that menu. */
function SignedIn({ user }: { user: Person }) {
  const controls = useControls();
  const logOut = useLogOutButton();
  return (
    <div className="flex flex-wrap items-center gap-1 @min-[40rem]:gap-2">
      {/* What was said to one person is not for the next. */}
      {controls && <controls.SignedInControls key={user.uid} user={user} />}
      {/* Keeps their place. */}
      {controls === undefined && <span className="h-10 w-21 @min-[40rem]:w-22" aria-hidden="true" />}
      {/* Without their code the page of notifications is a link away. */}
      {controls === null && (
        <Link to={paths.notifications} aria-label="Notifications" className="btn btn-square btn-ghost">
          <Bell aria-hidden="true" className="size-5" />
        </Link>
      )}
      <button
        type="button"
        className={`quiet btn btn-ghost ${controls === null ? "" : "@max-[40rem]:hidden"}`}
        onClick={logOut}
      >
        LogOut
      </button>
    </div>
  );
}
