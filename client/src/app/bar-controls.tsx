import { Bell as BellIcon, LogOut, Moon, Sun } from "lucide-react";
import { useEffect } from "react";
import { Link, useNavigate } from "react-router-dom";
import { useAuth } from "../auth/auth-context.tsx";
import type { Person } from "../auth/auth-gateway.ts";
import { paths } from "../lib/paths.ts";
import { site } from "../lib/site.ts";
import { applyTheme, onThemeChange, shownTheme, showTheme } from "../lib/theme.ts";
import { Avatar } from "../ui/avatar.tsx";
import { lazyModule } from "../ui/lazy-module.ts";
import { ReloadButton } from "../ui/retry-buttons.tsx";

// A visitor needs neither; whoever is signed in can do without.
const useBell = lazyModule(() => import("../features/notifications/bell.tsx"));
const useVerification = lazyModule(() => import("./verification.ts"));

/** The brand: three lanes with a task in each, and the name; `crowded` leaves the name out on the narrowest phones. */
export function Logo({ crowded = false }: { crowded?: boolean }) {
  return (
    <span className="flex items-center gap-2.5 text-xl font-semibold tracking-tight">
      <img src="/favicon.svg" alt="" width="32" height="32" />
      <span className={crowded ? "@max-[23.4rem]:hidden" : ""}>{site.brand}</span>
    </span>
  );
}

/** The brand as the link home, at the start of a top bar. */
export function HomeLink({ crowded }: { crowded: boolean }) {
  return (
    <Link to={paths.home} aria-label={`${site.brand}, home`} className="mr-auto rounded-field">
      <Logo crowded={crowded} />
    </Link>
  );
}

/** The end of a top bar: theme, and then avatar and LogOut for a signed-in person, Login and Sign up for a visitor. */
export function BarControls() {
  return (
    <>
      <ThemeToggle />
      <AccountControls />
    </>
  );
}

/**
 * Flips between light and dark; follows other tabs. What it says is left to CSS, so that a prerendered button is right
 * before any script has run.
 */
function ThemeToggle() {
  useEffect(() => onThemeChange(showTheme), []);

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
  if (user) return <SignedInControls user={user} />;
  // Keeps the place until it is known who is there.
  if (loading) return <span className="h-10 w-18 @min-[40rem]:w-40" aria-hidden="true" />;
  // Neither signed in nor out: whoever is signed in must not be told to log in.
  if (unknown) return <ReloadButton className="btn btn-outline" text="Reload to sign in" />;
  return (
    <div className="flex flex-wrap items-center gap-2">
      <Link to={paths.login} className="btn btn-ghost">
        Login
      </Link>
      <Link to={paths.register} className="btn btn-primary hidden @min-[40rem]:inline-flex">
        Sign up
      </Link>
    </div>
  );
}

/** The bell, the avatar with the display name as its tooltip, and LogOut. */
function SignedInControls({ user }: { user: Person }) {
  const name = user.displayName ?? user.email ?? "Signed in";
  const navigate = useNavigate();
  const verification = useVerification();
  return (
    <div className="flex flex-wrap items-center gap-1 @min-[40rem]:gap-3">
      <Notifications uid={user.uid} />
      <Link
        to={paths.dashboard}
        aria-label={`${name}, to the dashboard`}
        className="rounded-full"
        data-tooltip-content={name}
      >
        <Avatar name={name} src={user.photoURL} size="sm" />
      </Link>
      {verification && <verification.Verification />}
      <button
        type="button"
        aria-label="LogOut"
        className="btn btn-outline @max-[40rem]:btn-square"
        // use-log-out.ts signs out when home is reached.
        onClick={() => navigate(paths.home, { state: { logOut: true } })}
      >
        <LogOut aria-hidden="true" className="size-5 @min-[40rem]:hidden" />
        <span className="@max-[40rem]:hidden">LogOut</span>
      </button>
    </div>
  );
}

function Notifications({ uid }: { uid: string }) {
  const bell = useBell();
  if (bell) return <bell.Bell uid={uid} />;
  // Keeps the place of the bell; without its code the page of notifications is a link away.
  if (bell === undefined) return <span className="btn btn-square btn-ghost invisible" aria-hidden="true" />;
  return (
    <Link to={paths.notifications} aria-label="Notifications" className="btn btn-square btn-ghost">
      <BellIcon aria-hidden="true" className="size-5" />
    </Link>
  );
}
