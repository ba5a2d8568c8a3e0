import { Ellipsis } from "lucide-react";
import { type KeyboardEvent, type ReactNode, type ToggleEvent, useId, useRef } from "react";
import { Link } from "react-router-dom";

type Props = {
  /** The accessible name of the button and the menu. */
  label: string;
  className?: string;
  /** `MenuItem`s. */
  children: ReactNode;
};

/**
 * A button that opens a menu. The browser's popover is on top of everything else, closes on Escape or a click outside,
 * and restores focus; arrow keys, Home and End are handled here.
 */
export function Menu({ label, className = "btn btn-square btn-ghost", children }: Props) {
  const id = useId();
  const trigger = useRef<HTMLButtonElement>(null);
  const menu = useRef<HTMLDivElement>(null);
  const close = () => menu.current?.hidePopover();

  const onToggle = ({ newState }: ToggleEvent) => {
    // The event fires a moment after the menu opens, when an arrow key may have moved the focus already.
    if (newState === "open") {
      placeBeside(menu.current, trigger.current);
      if (!menu.current?.contains(document.activeElement)) itemsOf(menu.current)[0]?.focus();
    }
    // Safari does not focus a clicked button, so it cannot restore its focus.
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
    // By default the space key would scroll the page instead of following the link.
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
        popoverTarget={id}
        onKeyDown={onButtonKeyDown}
        aria-haspopup="menu"
        aria-label={label}
        data-tooltip-content="More"
      >
        <Ellipsis className="size-5" />
      </button>
      <div
        ref={menu}
        id={id}
        popover="auto"
        role="menu"
        aria-label={label}
        className="popover w-max max-w-[min(20rem,90vw)] min-w-[min(12rem,90vw)] p-1.5"
        onToggle={onToggle}
        onKeyDown={onKeyDown}
        onClick={close}
      >
        {children}
      </div>
    </>
  );
}

/** Places a menu below or above its button, in browsers where CSS cannot, such as Firefox 140. */
function placeBeside(menu: HTMLElement | null, button: HTMLElement | null): void {
  if (!menu || !button || "positionArea" in document.body.style) return;
  const { top, right, bottom } = button.getBoundingClientRect();
  const end = `${document.documentElement.clientWidth - right}px`;
  const fits = bottom + menu.offsetHeight < innerHeight;
  menu.style.inset = fits ? `${bottom}px ${end} auto auto` : `auto ${end} ${innerHeight - top}px auto`;
}

/** The visible items: some are shown only on phones. */
function itemsOf(menu: HTMLElement | null): HTMLElement[] {
  const items = menu?.querySelectorAll<HTMLElement>("[role=menuitem]") ?? [];
  return [...items].filter((item) => item.checkVisibility?.() !== false);
}

type ItemProps = { icon?: ReactNode; className?: string; children: ReactNode } & (
  | { to: string }
  | { onSelect: () => void; busy?: boolean }
);

/** A menu item: a link or an action. */
export function MenuItem({ icon, className = "", children, ...action }: ItemProps) {
  const shared = {
    role: "menuitem",
    className: `btn btn-ghost flex w-full justify-start gap-3 text-left [--size:2.75rem] [&>svg]:size-4.5 ${className}`,
  };
  return "to" in action ? (
    <Link to={action.to} {...shared}>
      {icon}
      {children}
    </Link>
  ) : (
    <button type="button" {...shared} aria-disabled={action.busy || undefined} onClick={action.onSelect}>
      {icon}
      {children}
    </button>
  );
}
