import type { ButtonHTMLAttributes } from "react";

type Props = Omit<ButtonHTMLAttributes<HTMLButtonElement>, "onClick"> & {
  busy: boolean;
  /** Replaces the text while it is busy, with a spinner. */
  busyText?: string;
  onClick: () => unknown;
};

/** A button that ignores clicks while it is busy. It is never disabled, so that it keeps its focus. */
export function BusyButton({ busy, busyText, onClick, children, ...button }: Props) {
  return (
    <button
      type="button"
      {...button}
      aria-disabled={busy || undefined}
      onClick={() => void (busy || onClick())}
    >
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
