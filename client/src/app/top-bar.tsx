import { Menu } from "lucide-react";
import { Link, NavLink } from "react-router-dom";
import { useAuth } from "../auth/session.tsx";
import { paths } from "../lib/paths.ts";
import { site } from "../lib/site.ts";
import { BarControls, Logo } from "./bar-controls.tsx";
import { usePopover } from "./use-popover.ts";

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
        <BarControls />
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
