import { type ButtonHTMLAttributes, useRef } from "react";

type Props = Omit<ButtonHTMLAttributes<HTMLButtonElement>, "onClick"> & {
  busy: boolean;
  /** Replaces the text while it is busy, with a spinner. */
  busyText?: string;
  onClick: () => unknown;
};

/** A button that ignores clicks while it is busy. It is never disabled, so that it keeps its focus. */
export function BusyButton({ busy, busyText, onClick, children, ...button }: Props) {
  // The second click of a double click arrives before React has rendered that the button is busy.
  const isRunning = useRef(false);
  const press = async () => {
    if (busy || isRunning.current) return;
    isRunning.current = true;
    try {
      await onClick();
    } finally {
      isRunning.current = false;
    }
  };
  return (
    <button type="button" {...button} aria-disabled={busy || undefined} onClick={() => void press()}>
      {busy && busyText ? (
        <>
          <span className="loading loading-spinner loading-sm" aria-hidden="true" />
          {busyText}
        </>
      ) : (
        children
      )}
    </button>
  );
}
