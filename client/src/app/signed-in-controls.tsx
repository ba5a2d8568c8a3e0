import { LogOut } from "lucide-react";
import { Link, useNavigate } from "react-router-dom";
import type { Person } from "../auth/auth-gateway.ts";
import { Bell } from "../features/notifications/bell.tsx";
import { paths } from "../lib/paths.ts";
import { Avatar } from "../ui/avatar.tsx";
import { AccountTooltip } from "./account-tooltip.tsx";

/** The bell, the avatar with the display name as its tooltip, and LogOut. */
export function SignedInControls({ user }: { user: Person }) {
  const name = user.displayName ?? user.email ?? "Signed in";
  return (
    <div className="flex flex-wrap items-center gap-1 @min-[40rem]:gap-3">
      <Bell uid={user.uid} />
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

// session-keeper.tsx signs out when home is reached.
function LogOutButton() {
  const navigate = useNavigate();
  return (
    <button
      type="button"
      aria-label="LogOut"
      className="btn btn-outline @max-[40rem]:btn-square"
      onClick={() => navigate(paths.home, { state: { logOut: true } })}
    >
      <LogOut aria-hidden="true" className="size-5 @min-[40rem]:hidden" />
      <span className="@max-[40rem]:hidden">LogOut</span>
    </button>
  );
}
