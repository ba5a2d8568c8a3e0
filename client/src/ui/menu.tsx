import { Ellipsis } from "lucide-react";
import { type KeyboardEvent, type ReactNode, type ToggleEvent, useId, useRef } from "react";
import { Link } from "react-router-dom";

type Props = {
  /** What the menu is for; the accessible name of its button. */
  label: string;
  /** How the button looks: three dots, unless told otherwise. */
  button?: ReactNode;
  className?: string;
  /** `MenuItem`s. */
  children: ReactNode;
};

/**
 * A button that opens a menu. The browser's popover stands above everything else, closes on Escape or a click elsewhere,
 * and gives focus back; the arrow keys, Home and End are ours.
 */
export function Menu({
  label,
  button = <Ellipsis aria-hidden="true" className="size-5" />,
  className = "btn btn-square btn-ghost",
  children,
}: Props) {
  const id = useId();
  const anchor = `--${id}`;
  const trigger = useRef<HTMLButtonElement>(null);
  const menu = useRef<HTMLDivElement>(null);
  const close = () => menu.current?.hidePopover();

  const onToggle = ({ newState }: ToggleEvent) => {
    // It comes a moment after the menu is there, when an arrow key may have moved on already.
    if (newState === "open") {
      if (!menu.current?.contains(document.activeElement)) itemsOf(menu.current)[0]?.focus();
    }
    // Safari does not focus a clicked button, so it gives nothing back to it.
    else if (document.activeElement === document.body) trigger.current?.focus();
  };

  const onButtonKeyDown = (event: KeyboardEvent) => {
    const at = { ArrowDown: 0, ArrowUp: -1 }[event.key];
    if (at === undefined) return;
    event.preventDefault();
    menu.current?.togglePopover(true);
    itemsOf(menu.current).at(at)?.focus();
  };

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === "Tab") close();
    // A link knows only Enter, and the page behind would scroll.
    if (event.key === " " && event.target instanceof HTMLAnchorElement) {
      event.preventDefault();
      event.target.click();
    }
    const items = itemsOf(menu.current);
    const at = items.indexOf(event.target as HTMLElement);
    const next = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: -1 }[event.key];
    if (next === undefined) return;
    event.preventDefault();
    items.at(next % items.length)?.focus();
  };

  return (
    <>
      <button
        ref={trigger}
        type="button"
        className={className}
        style={{ anchorName: anchor }}
        popoverTarget={id}
        onKeyDown={onButtonKeyDown}
        aria-haspopup="menu"
        aria-label={label}
        data-tooltip-content="More"
      >
        {button}
      </button>
      {/* It closes at once: WebKit may leave a closing one there, unseen, to catch the clicks on what is below. */}
      <div
        ref={menu}
        id={id}
        popover="auto"
        role="menu"
        aria-label={label}
        className="dropdown dropdown-end my-1 w-max max-w-[min(20rem,90vw)] min-w-[min(12rem,90vw)] rounded-box border border-base-300 bg-base-100 p-1.5 shadow-lift transition-none open:grid [position-try-fallbacks:flip-block]"
        style={{ positionAnchor: anchor }}
        onToggle={onToggle}
        onKeyDown={onKeyDown}
        onClick={close}
      >
        {children}
      </div>
    </>
  );
}

/** The items that can be seen: some may only be there on a phone. */
function itemsOf(menu: HTMLElement | null): HTMLElement[] {
  const items = menu?.querySelectorAll<HTMLElement>("[role=menuitem]") ?? [];
  return [...items].filter((item) => item.checkVisibility?.() !== false);
}

type ItemProps = { icon?: ReactNode; className?: string; children: ReactNode } & (
  | { to: string }
  | { onSelect: () => void; busy?: boolean }
);

/** One action of a menu, or a way to somewhere else. */
export function MenuItem({ icon, className = "", children, ...does }: ItemProps) {
  const look = {
    // Without a tabindex, by which daisyUI would take the first for the dropdown's button, and not clickable.
    role: "menuitem",
    className: `btn btn-ghost w-full justify-start gap-3 text-left [--size:2.75rem] [&>svg]:size-4.5 ${className}`,
  };
  return "to" in does ? (
    <Link to={does.to} {...look}>
      {icon}
      {children}
    </Link>
  ) : (
    <button type="button" {...look} aria-disabled={does.busy || undefined} onClick={does.onSelect}>
      {icon}
      {children}
    </button>
  );
}
