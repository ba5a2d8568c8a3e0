import type { ReactNode } from "react";

type Props = { busy: boolean; children: ReactNode; busyLabel: string; className?: string };

/** A form's button. While busy it says so and ignores clicks, but keeps its place and its focus. */
export function SubmitButton({ busy, children, busyLabel, className = "" }: Props) {
  return (
    <button type="submit" className={`btn btn-primary ${className}`} aria-disabled={busy || undefined}>
      {busy && <span className="loading loading-spinner loading-sm" aria-hidden="true" />}
      {busy ? busyLabel : children}
    </button>
  );
}
