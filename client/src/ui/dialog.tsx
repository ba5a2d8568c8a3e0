import { X } from "lucide-react";
import { type ButtonHTMLAttributes, type ReactNode, useId, useLayoutEffect, useRef, useState } from "react";
import { moveAboveDialogs } from "./above-dialogs.tsx";
import { dismissPrompt } from "./confirm.ts";
import { keepFocusWithin } from "./focus-keeper.ts";

type Props = {
  title: string;
  open: boolean;
  onClose: () => void;
  /**
   * `wide` and `broad` are for long content such as lists; `panel` is at the top right. On phones all three are
   * full-screen. `sheet` is at the bottom.
   */
  shape?: "box" | "wide" | "broad" | "panel" | "sheet";
  children: ReactNode;
};

/** Makes a box full-screen on phones. */
export const PHONE_SCREEN =
  "max-sm:h-dvh max-sm:pt-[env(safe-area-inset-top)] max-sm:pb-[env(safe-area-inset-bottom)] max-sm:max-h-dvh max-sm:w-full max-sm:max-w-none max-sm:rounded-none max-sm:border-0";

const SHAPES = {
  box: { place: "", box: "" },
  sheet: { place: "modal-bottom", box: "rounded-b-none" },
  wide: { place: "", box: `w-full max-w-3xl ${PHONE_SCREEN}` },
  broad: { place: "", box: `w-full max-w-6xl ${PHONE_SCREEN}` },
  panel: {
    place: "sm:place-items-start sm:justify-items-end",
    box: `sm:mt-17 sm:mr-4 sm:max-h-[min(40rem,calc(100dvh-6rem))] sm:max-w-96 ${PHONE_SCREEN}`,
  },
};

/** Closes the dialog that this element is in. */
export const closeDialog = (element: Element | null): void => element?.closest("dialog")?.close();

/** Selects the fields that somebody can fill in; the first one takes the focus. */
export const FIRST_FIELD = ":is(input, select, textarea):not([type=hidden], [readonly])";

/** A modal dialog with the native element, which traps focus, closes with Escape and restores focus. */
export function Dialog({ title, open, onClose, shape = "box", children }: Props) {
  const id = useId();
  const dialog = useRef<HTMLDialogElement>(null);
  const { place, box } = SHAPES[shape];

  // A layout effect, so that a prompt within this dialog is closed before the dialog is hidden or removed.
  useLayoutEffect(() => {
    const { current } = dialog;
    if (!current) return;
    if (!open) return current.close();
    current.showModal();
    moveAboveDialogs();
    // Instead of Close.
    current.querySelector<HTMLElement>(FIRST_FIELD)?.focus();
    return () => {
      dismissPrompt(current);
      moveAboveDialogs(current);
    };
  }, [open]);

  return (
    <dialog
      ref={dialog}
      className={`modal ${place}`}
      aria-labelledby={id}
      // While it fades out, Tab could still move focus into it, where it would be lost.
      onBeforeToggle={({ target, currentTarget, newState }) => {
        if (target === currentTarget) currentTarget.inert = newState === "closed";
      }}
      // Unlike the browser, React bubbles this event: ignore the closing of a nested dialog.
      onClose={({ target, currentTarget }) => {
        if (target !== currentTarget) return;
        // The browser restores focus, but if the page was opened with this dialog, nothing was focused before.
        moveAboveDialogs();
        const { activeElement, body } = document;
        if (activeElement === body || currentTarget.contains(activeElement))
          document.getElementById("main")?.focus({ preventScroll: true });
        onClose();
      }}
    >
      <div
        ref={keepFocusWithin}
        className={`modal-box border border-base-300 p-0 not-short:scroll-pt-24 ${box}`}
      >
        <DialogHeader id={id} title={title}>
          <form method="dialog">
            <button type="submit" className="btn btn-square btn-ghost btn-sm" aria-label="Close">
              <CloseIcon />
            </button>
          </form>
        </DialogHeader>
        {open && <div className="space-y-4 p-5">{children}</div>}
      </div>
      <form method="dialog" className="modal-backdrop">
        <button type="submit" tabIndex={-1} aria-hidden="true">
          Close
        </button>
      </form>
    </dialog>
  );
}

/** The title of a dialog, with its close button as `children`. Sticky unless there is little height, as the bars are. */
export function DialogHeader({ id, title, children }: { id: string; title: string; children: ReactNode }) {
  return (
    <div className="sticky top-0 z-10 short:static flex flex-wrap items-center justify-end gap-x-4 gap-y-1 border-b border-base-300 bg-base-100 px-5 py-4">
      <h2 id={id} className="min-w-0 grow basis-30 text-xl font-semibold wrap-anywhere">
        {title}
      </h2>
      {children}
    </div>
  );
}

export function CloseIcon() {
  return <X className="size-5" />;
}

type ButtonProps = Omit<ButtonHTMLAttributes<HTMLButtonElement>, "children"> & {
  /** The title of the dialog. */
  title: string;
  /** What the button shows; the title by default. */
  text?: ReactNode;
  /** The content of the dialog; see {@link closeDialog}. */
  children: ReactNode;
};

/** A button that opens a dialog. */
export function DialogButton({ title, text = title, className = "", children, ...button }: ButtonProps) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <button
        type="button"
        {...button}
        className={`btn ${className}`}
        aria-haspopup="dialog"
        onClick={() => setOpen(true)}
      >
        {text}
      </button>
      <Dialog title={title} open={open} onClose={() => setOpen(false)}>
        {children}
      </Dialog>
    </>
  );
}
