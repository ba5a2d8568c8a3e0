import { Menu } from "lucide-react";
import { useEffect, useRef } from "react";
import { Link, NavLink, useLocation } from "react-router-dom";
import { useAuth } from "../auth/auth-context.tsx";
import { paths } from "../lib/paths.ts";
import { BarControls, HomeLink } from "./bar-controls.tsx";
import { Footer } from "./footer.tsx";
import { MainArea } from "./main-area.tsx";

/** The shared layout of the public pages. */
export function SiteLayout() {
  return (
    <div className="flex min-h-dvh flex-col">
      <TopBar />
      <MainArea className="min-h-[calc(100dvh-4rem)] grow" />
      <Footer />
    </div>
  );
}

/** On small screens the links fold into a popover, which the browser opens, closes and gives focus back from. */
function TopBar() {
  const { user } = useAuth();
  const { key } = useLocation();
  const menu = useRef<HTMLUListElement>(null);

  // Going anywhere closes the menu, also to the page that is open already. (jsdom has no popovers.)
  useEffect(() => menu.current?.hidePopover?.(), [key]);

  const links = [
    { to: paths.home, text: "Home" },
    { to: paths.browse, text: "Browse Tasks" },
    { to: paths.about, text: "About us" },
    { to: paths.contact, text: "Contact" },
    ...(user ? [{ to: paths.dashboard, text: "Dashboard" }] : []),
  ];

  return (
    <header className="@container sticky top-0 z-30 border-b border-base-300 bg-base-100/95 backdrop-blur">
      <div className="navbar page flex-wrap justify-end gap-1 py-0 @min-[40rem]:gap-2 @5xl:gap-6">
        <HomeLink crowded={user !== null} />
        <nav aria-label="Main">
          <ul
            ref={menu}
            id="site-menu"
            popover="auto"
            className="menu top-16 right-0 left-auto max-h-[75dvh] w-full flex-nowrap overflow-y-auto border-b border-base-300 bg-base-100 p-4 text-base text-base-content shadow-lift not-open:hidden @5xl:static @5xl:flex @5xl:w-auto @5xl:flex-row @5xl:gap-1 @5xl:overflow-visible @5xl:border-0 @5xl:bg-transparent @5xl:p-0 @5xl:shadow-none"
          >
            {links.map(({ to, text }) => (
              <li key={to}>
                <NavLink to={to} end className="py-2 font-medium">
                  {text}
                </NavLink>
              </li>
            ))}
            {!user && (
              <li className="mt-2 @min-[40rem]:hidden">
                <Link to={paths.register} className="btn btn-primary">
                  Sign up
                </Link>
              </li>
            )}
          </ul>
        </nav>
        <BarControls />
        <button
          type="button"
          className="btn btn-square btn-ghost @5xl:hidden"
          aria-label="Menu"
          popoverTarget="site-menu"
        >
          <Menu aria-hidden="true" className="size-5" />
        </button>
      </div>
    </header>
  );
}
