import { X } from "lucide-react";
import { type ReactNode, useEffect, useId, useRef } from "react";

type Props = {
  title: string;
  open: boolean;
  onClose: () => void;
  /** For lists and other long content: wider, and the whole screen of a phone. */
  wide?: boolean;
  children: ReactNode;
};

const WIDE =
  "w-full max-w-3xl max-sm:h-dvh max-sm:max-h-dvh max-sm:max-w-none max-sm:rounded-none max-sm:border-0 p-0";

/** A modal dialog on the platform's own element: it traps focus, closes with Escape and gives focus back. */
export function Dialog({ title, open, onClose, wide = false, children }: Props) {
  const id = useId();
  const dialog = useRef<HTMLDialogElement>(null);

  useEffect(() => {
    if (open) dialog.current?.showModal();
    else dialog.current?.close();
  }, [open]);

  return (
    <dialog ref={dialog} className="modal" aria-labelledby={id} onClose={onClose}>
      <div className={`modal-box surface ${wide ? WIDE : "space-y-4"}`}>
        <div
          className={`flex items-start justify-between gap-4 ${wide ? "sticky top-0 z-10 border-b border-base-300 bg-base-100 px-5 py-4" : ""}`}
        >
          <h2 id={id} className="min-w-0 text-xl font-semibold wrap-anywhere">
            {title}
          </h2>
          <form method="dialog">
            <button type="submit" className="btn btn-square btn-ghost btn-sm" aria-label="Close">
              <X aria-hidden="true" className="size-5" />
            </button>
          </form>
        </div>
        {open && (wide ? <div className="space-y-4 p-5">{children}</div> : children)}
      </div>
      <form method="dialog" className="modal-backdrop">
        <button type="submit" tabIndex={-1} aria-hidden="true">
          Close
        </button>
      </form>
    </dialog>
  );
}
