import { useQuery } from "@tanstack/react-query";
import { CircleUserRound, LayoutDashboard, LogOut } from "lucide-react";
import { Link } from "react-router-dom";
import type { Person } from "../auth/person.ts";
import { useAuth } from "../auth/session.tsx";
import { useVerificationCheck } from "../auth/use-verification-check.ts";
import { ConversationUpdates } from "../features/conversations/conversation-updates.tsx";
import { Bell } from "../features/notifications/bell.tsx";
import { LiveStream } from "../features/notifications/live-stream.tsx";
import { plural } from "../lib/format.ts";
import { useLive } from "../lib/live.ts";
import { paths } from "../lib/paths.ts";
import { meQuery } from "../lib/queries.tsx";
import { CountBadge } from "../ui/count-badge.tsx";
import { Avatar, initialsOf } from "../ui/person.tsx";
import { useOnReturn } from "../ui/use-on-return.ts";
import { usePopover } from "../ui/use-popover.ts";
import { MENU_LINKS, OPERATOR_LINKS } from "./dash-links.ts";
import { QuickSearch } from "./quick-search.tsx";
import { useLogOutButton } from "./use-log-out.ts";

/** The notification bell and the account menu, loaded only for signed-in people. */
export function SignedInControls({ user }: { user: Person }) {
  return (
    <>
      <Bell />
      <AccountMenu user={user} />
    </>
  );
}

/** What runs while somebody is signed in, on all pages. */
export function SignedInServices({ uid }: { uid: string }) {
  return (
    <>
      <LiveStream uid={uid} />
      <ConversationUpdates />
      <Verification />
      <QuickSearch />
    </>
  );
}

/** The avatar, with the display name as its tooltip. Opens a menu of the person's pages, and LogOut. */
function AccountMenu({ user }: { user: Person }) {
  const name = user.displayName ?? user.email ?? "Signed in";
  const menu = usePopover<HTMLDivElement>();
  const logOut = useLogOutButton();
  const unread = useLive().conversations ?? 0;
  // Shows what the dashboard has loaded, and fetches nothing itself.
  const { data: me } = useQuery({ ...meQuery, enabled: false });
  const links = [
    { to: paths.dashboard, text: "Dashboard", Icon: LayoutDashboard },
    { to: paths.person(user.uid), text: "Public profile", Icon: CircleUserRound },
    ...MENU_LINKS,
    ...(me?.isOperator ? OPERATOR_LINKS : []),
  ];
  return (
    <>
      <button
        type="button"
        className="btn btn-circle btn-ghost"
        aria-label={`${name} (${initialsOf(name)}), account menu${unread > 0 ? `, ${plural(unread, "unread conversation")}` : ""}`}
        data-tooltip-content={name}
        popoverTarget="account-menu"
      >
        <span className="indicator">
          <Avatar name={name} src={user.photoURL} size="sm" />
          {unread > 0 && (
            <span
              aria-hidden="true"
              className="indicator-item top-1 right-1 size-3 rounded-full bg-error ring-2 ring-base-100 forced-colors:border"
            />
          )}
        </span>
      </button>
      <div
        ref={menu}
        id="account-menu"
        popover="auto"
        className="popover max-h-[75dvh] w-64 max-w-[calc(100vw-1rem)] p-2"
      >
        <div className="border-b border-base-300 px-3 pt-2 pb-3 text-sm">
          <p dir="auto" className="truncate font-semibold">
            {name}
          </p>
          {user.displayName && <p className="quiet truncate">{user.email}</p>}
        </div>
        <ul className="menu w-full p-0 pt-2 text-base">
          {links.map(({ to, text, Icon }) => (
            <li key={to}>
              <Link to={to} className="gap-3 py-2.5">
                <Icon className="size-5" />
                {text}
                {to === paths.messages && <CountBadge count={unread} what="unread" />}
              </Link>
            </li>
          ))}
          <li>
            <button type="button" className="gap-3 py-2.5" onClick={logOut}>
              <LogOut className="size-5" />
              LogOut
            </button>
          </li>
        </ul>
      </div>
    </>
  );
}

/**
 * Whenever a person with an unverified email address returns to this tab, checks whether they have verified it.
 * Renders nothing.
 */
function Verification() {
  useOnReturn(useAuth().user?.emailVerified === false, useVerificationCheck());
  return null;
}
