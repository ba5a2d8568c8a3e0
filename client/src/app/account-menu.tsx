import { useQuery } from "@tanstack/react-query";
import { CircleUserRound, Flag, LayoutDashboard, LogOut, Settings } from "lucide-react";
import { type RefObject, useEffect, useRef } from "react";
import { Link, useLocation, useNavigate } from "react-router-dom";
import type { Person } from "../auth/auth-gateway.ts";
import { useApi } from "../lib/api-context.tsx";
import { meQuery } from "../lib/me.ts";
import { paths } from "../lib/paths.ts";
import { Avatar } from "../ui/avatar.tsx";

/** The ref of a popover that closes when somebody goes anywhere, also to the page that is open already. */
export function usePopover<T extends HTMLElement>(): RefObject<T | null> {
  const { key } = useLocation();
  const popover = useRef<T>(null);
  // jsdom has no popovers.
  useEffect(() => popover.current?.hidePopover?.(), [key]);
  return popover;
}

/** Leads home, where use-log-out.ts signs out. */
export function useLogOutButton(): () => void {
  const navigate = useNavigate();
  return () => void navigate(paths.home, { state: { logOut: true } });
}

/** The avatar, with the display name as its tooltip; it opens a menu of the person's own pages, and LogOut where the bar has no room for it. */
export function AccountMenu({ user, name }: { user: Person; name: string }) {
  const menu = usePopover<HTMLDivElement>();
  const logOut = useLogOutButton();
  // What the dashboard has read; nobody waits for it here.
  const { data: me } = useQuery({ ...meQuery(useApi()), enabled: false });
  const links = [
    { to: paths.dashboard, text: "Dashboard", Icon: LayoutDashboard },
    { to: paths.person(user.uid), text: "Public profile", Icon: CircleUserRound },
    { to: paths.settings, text: "Settings", Icon: Settings },
    ...(me?.isOperator ? [{ to: paths.reports, text: "Reports", Icon: Flag }] : []),
  ];
  return (
    <>
      <button
        type="button"
        className="btn btn-circle btn-ghost"
        aria-label={`${name}, account menu`}
        data-tooltip-content={name}
        popoverTarget="account-menu"
      >
        <Avatar name={name} src={user.photoURL} size="sm" />
      </button>
      <div
        ref={menu}
        id="account-menu"
        popover="auto"
        className="top-17 right-2 left-auto max-h-[75dvh] w-64 max-w-[calc(100vw-1rem)] overflow-y-auto rounded-box border border-base-300 bg-base-100 p-2 text-base-content shadow-lift not-open:hidden @min-[40rem]:right-6"
      >
        <div className="border-b border-base-300 px-3 pt-2 pb-3 text-sm">
          <p dir="auto" className="truncate font-semibold">
            {name}
          </p>
          <p className="quiet truncate">{user.email}</p>
        </div>
        <ul className="menu w-full p-0 pt-2 text-base">
          {links.map(({ to, text, Icon }) => (
            <li key={to}>
              <Link to={to} className="gap-3 py-2.5">
                <Icon aria-hidden="true" className="size-5" />
                {text}
              </Link>
            </li>
          ))}
          <li className="@min-[40rem]:hidden">
            <button type="button" className="gap-3 py-2.5" onClick={logOut}>
              <LogOut aria-hidden="true" className="size-5" />
              LogOut
            </button>
          </li>
        </ul>
      </div>
    </>
  );
}
