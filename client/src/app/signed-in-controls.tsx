import { LogOut } from "lucide-react";
import { Link, useNavigate } from "react-router-dom";
import { useAuth } from "../auth/auth-context.tsx";
import type { Person } from "../auth/auth-gateway.ts";
import { paths } from "../lib/paths.ts";
import { Avatar } from "../ui/avatar.tsx";
import { notify } from "../ui/notify.ts";
import { celebrate } from "../ui/popup.ts";
import { AccountTooltip } from "./account-tooltip.tsx";

/** Avatar with the display name as its tooltip, and LogOut. */
export function SignedInControls({ user }: { user: Person }) {
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
      <AccountTooltip />
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
