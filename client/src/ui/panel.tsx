import {
  type KeyboardEvent,
  type ReactNode,
  type ToggleEvent,
  useEffect,
  useId,
  useRef,
  useState,
} from "react";
import { useLocation } from "react-router-dom";
import { CloseIcon, DialogHeader, PHONE_SCREEN } from "./dialog.tsx";
import { keepFocusWithin } from "./focus-keeper.ts";

type Props = {
  title: string;
  /** The accessible name and the content of the button that opens the panel. */
  label: string;
  button: ReactNode;
  /** Rendered while the panel is open. */
  children: (close: () => void) => ReactNode;
};

/**
 * A button in the top bar with a panel below it (full-screen on phones). The browser's popover closes on Escape or a
 * click outside and restores focus; a page change closes it too. A modal dialog would recalculate the styles of the
 * whole page on each opening, a third of a second on a slow phone.
 */
export function Panel({ title, label, button, children }: Props) {
  const id = useId();
  const heading = useId();
  const trigger = useRef<HTMLButtonElement>(null);
  const panel = useRef<HTMLDivElement>(null);
  const [isOpen, setOpen] = useState(false);
  const { pathname } = useLocation();
  const close = () => panel.current?.hidePopover();

  // Only the path counts: a dialog that closes removes its query from the URL a moment later.
  useEffect(() => close, [pathname]);

  useEffect(() => (panel.current ? keepFocusWithin(panel.current) : undefined), []);

  const onBeforeToggle = ({ newState }: ToggleEvent) => {
    setOpen(newState === "open");
  };
  const onToggle = ({ newState, currentTarget }: ToggleEvent<HTMLDivElement>) => {
    if (newState === "open") currentTarget.focus();
    // Safari does not focus a clicked button, so it cannot restore its focus.
    else if (document.activeElement === document.body) trigger.current?.focus();
  };

  const onKeyDown = ({ key }: KeyboardEvent) => {
    if (key !== "Tab") return;
    // When focus moves on to the page, the panel must not cover it.
    setTimeout(() => panel.current?.contains(document.activeElement) || close());
  };

  return (
    <>
      <button
        ref={trigger}
        type="button"
        className="btn btn-square btn-ghost"
        popoverTarget={id}
        aria-haspopup="dialog"
        aria-label={label}
      >
        {button}
      </button>
      <div
        ref={panel}
        id={id}
        popover="auto"
        role="dialog"
        aria-labelledby={heading}
        tabIndex={-1}
        className={`popover max-h-[min(40rem,calc(100dvh-6rem))] w-96 not-short:scroll-pt-24 overscroll-contain outline-none max-sm:inset-0 max-sm:m-0 max-sm:[position-area:none] ${PHONE_SCREEN}`}
        onBeforeToggle={onBeforeToggle}
        onToggle={onToggle}
        onKeyDown={onKeyDown}
      >
        <DialogHeader id={heading} title={title}>
          <button
            type="button"
            className="btn btn-square btn-ghost btn-sm"
            aria-label="Close"
            popoverTarget={id}
            popoverTargetAction="hide"
          >
            <CloseIcon />
          </button>
        </DialogHeader>
        {isOpen && <div className="space-y-4 p-5">{children(close)}</div>}
      </div>
    </>
  );
}
