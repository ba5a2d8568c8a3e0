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
import { CloseMark, DialogHead, PHONE_SCREEN } from "./dialog.tsx";
import { keepFocusWithin } from "./focus-keeper.ts";

type Props = {
  title: string;
  /** The accessible name of the button that opens it, and what stands on it. */
  label: string;
  button: ReactNode;
  onOpen: () => void;
  /** What stands in it while it is open. */
  children: (close: () => void) => ReactNode;
};

/**
 * A button in the top bar with a panel below it (at the top right, where browsers know no anchors), which takes the whole
 * screen of a phone. The browser's popover closes on Escape or a click elsewhere and gives focus back, and another page
 * closes it. A modal dialog would have it work out the styles of the whole page at each opening, a third of a second on a
 * slow phone.
 */
export function Panel({ title, label, button, onOpen, children }: Props) {
  const id = useId();
  const heading = useId();
  const trigger = useRef<HTMLButtonElement>(null);
  const panel = useRef<HTMLDivElement>(null);
  const [isOpen, setOpen] = useState(false);
  const { pathname } = useLocation();
  const close = () => panel.current?.hidePopover();

  // A dialog that leaves the address of this page, a moment after it is gone, does not close it.
  useEffect(() => close, [pathname]);

  useEffect(() => (panel.current ? keepFocusWithin(panel.current) : undefined), []);

  const onBeforeToggle = ({ newState }: ToggleEvent) => {
    setOpen(newState === "open");
    if (newState === "open") onOpen();
  };
  const onToggle = ({ newState, currentTarget }: ToggleEvent<HTMLDivElement>) => {
    if (newState === "open") currentTarget.focus();
    // Safari does not focus a clicked button, so it gives nothing back to it.
    else if (document.activeElement === document.body) trigger.current?.focus();
  };

  const onKeyDown = ({ key }: KeyboardEvent) => {
    if (key !== "Tab") return;
    // The keyboard goes on with the page, which must not lie under the panel.
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
        className={`top-17 right-4 left-auto sm:supports-[right:anchor(right)]:right-[max(1rem,min(anchor(right),calc(100vw-25rem)))] max-h-[min(40rem,calc(100dvh-6rem))] w-96 max-w-[calc(100vw-2rem)] overflow-y-auto overscroll-contain rounded-box border border-base-300 bg-base-100 text-base-content shadow-lift outline-none not-open:hidden max-sm:inset-0 ${PHONE_SCREEN}`}
        onBeforeToggle={onBeforeToggle}
        onToggle={onToggle}
        onKeyDown={onKeyDown}
      >
        <DialogHead id={heading} title={title}>
          <button
            type="button"
            className="btn btn-square btn-ghost btn-sm"
            aria-label="Close"
            popoverTarget={id}
            popoverTargetAction="hide"
          >
            <CloseMark />
          </button>
        </DialogHead>
        {isOpen && <div className="space-y-4 p-5">{children(close)}</div>}
      </div>
    </>
  );
}
