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
      className="card items-center gap-4 px-6 py-10 text-center"
    >
      {icon && <Lanes isBroken={tone === "error"}>{icon}</Lanes>}
      <div className="max-w-md space-y-2 wrap-anywhere">
        <Heading className="text-xl font-semibold">{title}</Heading>
        {children && <div className="quiet text-balance">{children}</div>}
      </div>
      {action}
    </div>
  );
}

const LANES = ["stroke-primary", "stroke-primary/35", "stroke-accent"];

/** The house's three lanes with a card on them, which carries the icon. Where something failed they break off behind it. */
function Lanes({ isBroken, children }: { isBroken: boolean; children: ReactNode }) {
  return (
    <div aria-hidden="true" className="relative grid h-24 w-56 max-w-full place-items-center">
      <svg viewBox="0 0 224 96" className="absolute inset-0 size-full stroke-8 [stroke-linecap:round]">
        {LANES.map((colour, index) => (
          <g key={colour} className={colour}>
            <path d={`M6 ${30 + index * 18}H112`} />
            <path d={`M118 ${30 + index * 18}H218`} strokeDasharray={isBroken ? "0 17" : undefined} />
          </g>
        ))}
      </svg>
      <span
        className={`relative grid size-19 -rotate-6 place-items-center rounded-box border border-base-300 bg-base-100 shadow-lift ${isBroken ? "text-error" : "text-primary"}`}
      >
        {children}
      </span>
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
