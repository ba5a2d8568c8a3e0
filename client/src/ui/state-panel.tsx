import type { ReactNode } from "react";

type Props = {
  title: string;
  /** What happened and what to do about it. */
  children?: ReactNode;
  /** The way on: a retry button or a link. */
  action?: ReactNode;
  icon?: ReactNode;
  /** Errors are announced; empty states are just there. */
  tone?: "plain" | "error";
  /** `h1` where it stands for the whole page. */
  heading?: "h1" | "h2" | "h3";
};

/** What stands in the place of content that is not there: empty, failed or missing. */
export function StatePanel({
  title,
  children,
  action,
  icon,
  tone = "plain",
  heading: Heading = "h2",
}: Props) {
  return (
    <div
      role={tone === "error" ? "alert" : undefined}
      className="card items-center gap-4 px-6 py-14 text-center"
    >
      {icon && (
        <span
          aria-hidden="true"
          className={`grid size-14 place-items-center rounded-full ${tone === "error" ? "bg-error/12 text-error" : "bg-primary/10 text-primary"}`}
        >
          {icon}
        </span>
      )}
      <div className="max-w-md space-y-2 wrap-anywhere">
        <Heading className="text-xl font-semibold">{title}</Heading>
        {children && <div className="quiet">{children}</div>}
      </div>
      {action}
    </div>
  );
}

/** A wait of unknown length, said to screen readers too. */
export function Spinner({ label = "Loading" }: { label?: string }) {
  return (
    <div role="status" className="appear-late flex justify-center py-16">
      <span className="loading loading-spinner loading-lg text-primary" aria-hidden="true" />
      <span className="sr-only">{label}…</span>
    </div>
  );
}

/** Stands where "Load more" would be once a list has become as long as it may. */
export function ListFull({ shown, hint }: { shown: number; hint: string }) {
  return (
    <p role="status" className="quiet pt-4 text-center">
      These are the first {shown.toLocaleString("en-US")}. {hint}
    </p>
  );
}
