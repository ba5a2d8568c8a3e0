import type { ButtonHTMLAttributes, ReactNode } from "react";
import { useState } from "react";
import { Dialog } from "./dialog.tsx";

type Props = Omit<ButtonHTMLAttributes<HTMLButtonElement>, "children"> & {
  /** The title of the dialog. */
  title: string;
  /** What the button shows; the title by default. */
  text?: ReactNode;
  /** The content of the dialog, given what closes it. */
  children: (close: () => void) => ReactNode;
};

/** A button that opens a dialog. */
export function DialogButton({ title, text = title, className = "", children, ...button }: Props) {
  const [open, setOpen] = useState(false);
  const close = () => setOpen(false);
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
      <Dialog title={title} open={open} onClose={close}>
        {children(close)}
      </Dialog>
    </>
  );
}
