import { Bell as BellIcon, LogOut } from "lucide-react";
import { Link, useNavigate } from "react-router-dom";
import type { Person } from "../auth/auth-gateway.ts";
import { paths } from "../lib/paths.ts";
import { Avatar } from "../ui/avatar.tsx";
import { latePart } from "../ui/late-part.ts";

// A visitor needs none of them; whoever is signed in can do without.
const useBell = latePart(() => import("../features/notifications/bell.tsx"));
const useTooltip = latePart(() => import("./account-tooltip.tsx"));
const useVerification = latePart(() => import("./verification.ts"));

/** The bell, the avatar with the display name as its tooltip, and LogOut. */
export function SignedInControls({ user }: { user: Person }) {
  const name = user.displayName ?? user.email ?? "Signed in";
  const tooltip = useTooltip();
  const verification = useVerification();
  return (
    <div className="flex flex-wrap items-center gap-1 @min-[40rem]:gap-3">
      <Notifications uid={user.uid} />
      <Link
        to={paths.dashboard}
        aria-label={`${name}, to the dashboard`}
        className="rounded-full"
        data-tooltip-id="account"
        data-tooltip-content={name}
      >
        <Avatar name={name} src={user.photoURL} size="sm" />
      </Link>
      {tooltip && <tooltip.AccountTooltip />}
      {verification && <verification.Verification />}
      <LogOutButton />
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

// use-log-out.ts signs out when home is reached.
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
