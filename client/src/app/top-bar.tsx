import { Menu, X } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { Link, NavLink, useLocation } from "react-router-dom";
import { useAuth } from "../auth/auth-context.tsx";
import { paths } from "../lib/paths.ts";
import { site } from "../lib/site.ts";
import { Logo } from "../ui/logo.tsx";
import { AccountControls } from "./account-controls.tsx";
import { ThemeToggle } from "./theme-toggle.tsx";

/** SPEC section 2, Top bar. On small screens the links fold into a menu. */
export function TopBar() {
  const { user } = useAuth();
  const { key } = useLocation();
  const [open, setOpen] = useState(false);
  const bar = useRef<HTMLElement>(null);
  const toggle = useRef<HTMLButtonElement>(null);

  // Going anywhere closes the menu, also to the page that is open already.
  useEffect(() => setOpen(false), [key]);

  useEffect(() => {
    if (!open) return;
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== "Escape") return;
      setOpen(false);
      toggle.current?.focus();
    };
    const onPointer = (event: PointerEvent) => {
      if (event.target instanceof Node && !bar.current?.contains(event.target)) setOpen(false);
    };
    document.addEventListener("keydown", onKey);
    document.addEventListener("pointerdown", onPointer);
    return () => {
      document.removeEventListener("keydown", onKey);
      document.removeEventListener("pointerdown", onPointer);
    };
  }, [open]);

  const links = [
    { to: paths.home, text: "Home" },
    { to: paths.browse, text: "Browse Tasks" },
    { to: paths.about, text: "About us" },
    { to: paths.contact, text: "Contact" },
    ...(user ? [{ to: paths.dashboard, text: "Dashboard" }] : []),
  ];

  return (
    <header
      ref={bar}
      className="@container sticky top-0 z-30 border-b border-base-300 bg-base-100/95 backdrop-blur"
    >
      <div className="page flex min-h-16 flex-wrap items-center justify-end gap-1 @min-[40rem]:gap-2 @5xl:gap-6">
        <Link to={paths.home} aria-label={`${site.brand}, home`} className="mr-auto rounded-field">
          <Logo crowded={user !== null} />
        </Link>
        <nav
          id="site-menu"
          aria-label="Main"
          className={`${open ? "flex" : "hidden"} absolute inset-x-0 top-full max-h-[75dvh] flex-col gap-1 border-b border-base-300 bg-base-100 overflow-y-auto p-4 shadow-lift @5xl:static @5xl:flex @5xl:flex-row @5xl:overflow-visible @5xl:border-0 @5xl:bg-transparent @5xl:p-0 @5xl:shadow-none`}
        >
          {links.map(({ to, text }) => (
            <NavLink
              key={to}
              to={to}
              end
              className={({ isActive }) =>
                `rounded-field px-3 py-2 font-medium hover:bg-base-200 ${isActive ? "text-primary underline decoration-2 underline-offset-8" : ""}`
              }
            >
              {text}
            </NavLink>
          ))}
          {!user && (
            <Link to={paths.register} className="btn mt-2 btn-primary @min-[40rem]:hidden">
              Sign up
            </Link>
          )}
        </nav>
        <ThemeToggle />
        <AccountControls />
        <button
          ref={toggle}
          type="button"
          className="btn btn-square btn-ghost @5xl:hidden"
          aria-label={open ? "Close menu" : "Open menu"}
          aria-expanded={open}
          aria-controls="site-menu"
          onClick={() => setOpen(!open)}
        >
          {open ? (
            <X aria-hidden="true" className="size-5" />
          ) : (
            <Menu aria-hidden="true" className="size-5" />
          )}
        </button>
      </div>
    </header>
  );
}
