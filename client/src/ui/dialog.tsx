import { X } from "lucide-react";
import { type ReactNode, useEffect, useId, useLayoutEffect, useRef } from "react";
import { keepFocusWithin } from "./focus-keeper.ts";
import { dismissPrompt } from "./popup.ts";

type Props = {
  title: string;
  open: boolean;
  onClose: () => void;
  /**
   * `wide` and `broad` for lists and other long content; `panel` at the top right. They take the whole screen of a phone.
   * `sheet` comes up from below.
   */
  shape?: "box" | "wide" | "broad" | "panel" | "sheet";
  children: ReactNode;
};

/** The whole screen of a phone, for what is a box elsewhere. */
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

/** A modal dialog on the platform's own element: it traps focus, closes with Escape and gives focus back. */
export function Dialog({ title, open, onClose, shape = "box", children }: Props) {
  const id = useId();
  const dialog = useRef<HTMLDialogElement>(null);
  const { place, box } = SHAPES[shape];

  useEffect(() => {
    const { current } = dialog;
    if (!current) return;
    if (open) {
      current.inert = false;
      current.showModal();
    } else {
      current.close();
      current.inert = true;
    }
  }, [open]);

  // Before this dialog is hidden or removed, and a question within it with it.
  useLayoutEffect(() => {
    const { current } = dialog;
    if (!open || !current) return;
    return () => dismissPrompt(current);
  }, [open]);

  useEffect(() => (dialog.current ? keepFocusWithin(dialog.current) : undefined), []);

  return (
    <dialog
      ref={dialog}
      className={`modal ${place}`}
      aria-labelledby={id}
      // React passes it on to the components around, the browser does not: a dialog within this one closes alone.
      onClose={({ target, currentTarget }) => {
        if (target !== currentTarget) return;
        // The browser gives focus back, but where a page came with this dialog open nothing had it before.
        const { activeElement, body } = document;
        if (activeElement === body || currentTarget.contains(activeElement))
          document.getElementById("main")?.focus({ preventScroll: true });
        // It fades out: a Tab meanwhile would lead into it, and focus would be lost with it.
        currentTarget.inert = true;
        onClose();
      }}
    >
      <div className={`modal-box border border-base-300 p-0 ${box}`}>
        <DialogHead id={id} title={title}>
          <form method="dialog">
            <button type="submit" className="btn btn-square btn-ghost btn-sm" aria-label="Close">
              <CloseMark />
            </button>
          </form>
        </DialogHead>
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

/** The title, which stays at the top, and beside it what closes. */
export function DialogHead({ id, title, children }: { id: string; title: string; children: ReactNode }) {
  return (
    <div className="sticky top-0 z-10 flex items-start justify-between gap-4 border-b border-base-300 bg-base-100 px-5 py-4">
      <h2 id={id} className="min-w-0 text-xl font-semibold wrap-anywhere">
        {title}
      </h2>
      {children}
    </div>
  );
}

export function CloseMark() {
  return <X aria-hidden="true" className="size-5" />;
}
