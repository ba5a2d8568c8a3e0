import { LogOut } from "lucide-react";
import { lazy, Suspense } from "react";
import { Link, useNavigate } from "react-router-dom";
import { useAuth } from "../auth/auth-context.tsx";
import { paths } from "../lib/paths.ts";
import { Avatar } from "../ui/avatar.tsx";
import { notify } from "../ui/notify.ts";
import { celebrate } from "../ui/popup.ts";

const Tooltip = lazy(() =>
  import("./account-tooltip.tsx").then((module) => ({ default: module.AccountTooltip })),
);

/** The right end of a top bar: avatar and LogOut for a signed-in person, Login and Sign up for a visitor. */
export function AccountControls() {
  const { user, loading } = useAuth();
  if (loading && !user) return <span className="h-10 w-28 sm:w-44" aria-hidden="true" />;
  if (!user) {
    return (
      <div className="flex items-center gap-2">
        <Link to={paths.login} className="btn btn-ghost">
          Login
        </Link>
        <Link to={paths.register} className="btn btn-primary hidden sm:inline-flex">
          Sign up
        </Link>
      </div>
    );
  }
  const name = user.displayName ?? user.email ?? "Signed in";
  return (
    <div className="flex items-center gap-3">
      <Link
        to={paths.dashboard}
        aria-label={`${name}, to the dashboard`}
        className="rounded-full"
        data-tooltip-id="account"
        data-tooltip-content={name}
      >
        <Avatar name={name} src={user.photoURL} size="sm" />
      </Link>
      <Suspense>
        <Tooltip />
      </Suspense>
      <LogOutButton />
    </div>
  );
}

function LogOutButton() {
  const { signOut } = useAuth();
  const navigate = useNavigate();

  const logOut = async () => {
    try {
      // Home first: a guarded page would send a signed-out person to login.
      await navigate(paths.home);
      // Still here: a form held its unsent input, and the person chose to stay.
      if (window.location.pathname !== paths.home) return;
      await signOut();
      await celebrate("LogOut Successfully");
    } catch {
      notify.error("You are still logged in: the sign-in service did not answer. Try again.");
    }
  };

  return (
    <button type="button" aria-label="LogOut" className="btn btn-outline max-sm:btn-square" onClick={logOut}>
      <LogOut aria-hidden="true" className="size-5 sm:hidden" />
      <span className="max-sm:hidden">LogOut</span>
    </button>
  );
}
