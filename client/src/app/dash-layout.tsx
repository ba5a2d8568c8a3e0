import { useQuery } from "@tanstack/react-query";
import { NavLink, useMatch } from "react-router-dom";
import { useLive } from "../lib/live.ts";
import { paths } from "../lib/paths.ts";
import { meQuery } from "../lib/queries.tsx";
import { CountBadge } from "../ui/count-badge.tsx";
import { DASH_MAIN, DashFrame } from "./dash-frame.tsx";
import { DOCK_LINKS, OPERATOR_LINKS, SIDEBAR_LINKS } from "./dash-links.ts";
import { MainArea } from "./site-layout.tsx";

/** The dashboard's layout: a top bar and a sidebar, which is a bottom dock on phones, or a narrow bar in landscape. */
export function Component() {
  const { data: me } = useQuery(meQuery);
  const open = (me?.openReports ?? 0) + (me?.openItems ?? 0);
  const unread = useLive().conversations ?? me?.unreadConversations ?? 0;
  // A conversation needs the height of a phone, and has a way back of its own.
  const hidesDock = useMatch(`${paths.messages}/:id`) !== null;
  return (
    <DashFrame
      hidesDock={hidesDock}
      links={
        <>
          <ul className="menu hidden w-full gap-1 p-4 text-base sideways:sticky sideways:top-(--top-bar) sideways:flex sideways:h-[calc(100dvh-var(--top-bar))] sideways:flex-nowrap sideways:gap-0 sideways:overflow-y-auto sideways:p-1 lg:sticky lg:top-(--top-bar) lg:flex lg:h-[calc(100dvh-var(--top-bar))] lg:flex-nowrap lg:overflow-y-auto">
            {[...SIDEBAR_LINKS, ...(me?.isOperator ? OPERATOR_LINKS : [])].map(
              ({ to, text, short, Icon }) => (
                <li key={to}>
                  <NavLink
                    to={to}
                    className="gap-3 py-2.5 font-medium sideways:flex sideways:flex-col sideways:gap-0.5 sideways:px-1 sideways:py-1.5 sideways:text-xs"
                  >
                    <Icon className="size-5" />
                    {short && <span className="hidden sideways:inline">{short}</span>}
                    <span className={short && "sideways:hidden"}>{text}</span>{" "}
                    {to === paths.messages && <CountBadge count={unread} what="unread" />}
                    {to === paths.reports && <CountBadge count={open} what="open" />}
                  </NavLink>
                </li>
              ),
            )}
          </ul>
          <div
            className={`${hidesDock ? "max-sm:hidden" : ""} dock @container z-30 border-base-300 short:static sideways:hidden lg:hidden print:hidden`}
          >
            {DOCK_LINKS.map(({ to, text, short = text, Icon }) => (
              <NavLink
                key={to}
                to={to}
                aria-label={to === paths.messages && unread > 0 ? `${text}, ${unread} unread` : text}
                className="aria-[current=page]:text-primary"
              >
                <span className="indicator">
                  <Icon className="size-5" />
                  {to === paths.messages && (
                    <span className="indicator-item">
                      <CountBadge count={unread} what="unread" />
                    </span>
                  )}
                </span>
                <span className="dock-label font-medium @max-[18rem]:hidden">{short}</span>
              </NavLink>
            ))}
          </div>
        </>
      }
    >
      <MainArea className={DASH_MAIN} />
    </DashFrame>
  );
}
