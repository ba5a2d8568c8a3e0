import { type ReactNode, useEffect, useState } from "react";
import { Link, type To } from "react-router-dom";

type Props = {
  title: string;
  /** What happened and what to do about it. */
  children?: ReactNode;
  /** A retry button or links. */
  action?: ReactNode;
  /** The one page where to go on. */
  link?: { to: To; text: string };
  icon?: ReactNode;
  /** Errors are announced, empty states are not. */
  tone?: "plain" | "error";
  /** `h1` if it replaces the whole page. */
  heading?: "h1" | "h2" | "h3";
};

/** Shown in place of content that is empty, failed to load or does not exist. */
export function StatePanel({
  title,
  children,
  action,
  link,
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
      {link && (
        <Link to={link.to} className="btn btn-primary">
          {link.text}
        </Link>
      )}
    </div>
  );
}

const LANES = ["stroke-primary", "stroke-primary/35", "stroke-accent"];

/** The logo's three lanes with a card that shows the icon. For errors, the lanes break off behind it. */
function Lanes({ isBroken, children }: { isBroken: boolean; children: ReactNode }) {
  return (
    <div aria-hidden="true" className="relative grid h-24 w-56 max-w-full place-items-center">
      <svg viewBox="0 0 224 96" className="absolute inset-0 size-full stroke-8 [stroke-linecap:round]">
        {LANES.map((color, index) => (
          <g key={color} className={color}>
            <path d={`M6 ${30 + index * 18}H112`} />
            <path d={`M118 ${30 + index * 18}H218`} strokeDasharray={isBroken ? "0 17" : undefined} />
          </g>
        ))}
      </svg>
      <span
        className={`relative grid size-19 -rotate-6 place-items-center rounded-box border border-base-300 bg-base-100 shadow-lift [&>svg]:size-7 ${isBroken ? "text-error" : "text-primary"}`}
      >
        {children}
      </span>
    </div>
  );
}

/** Time after which a spinner says that something may be wrong, in ms. */
const SLOW_AFTER_MS = 8_000;

/** A loading indicator, announced to screen readers. If loading takes long, it says so. */
export function Spinner({ label = "Loading" }: { label?: string }) {
  const [isSlow, setIsSlow] = useState(false);
  useEffect(() => {
    const timer = window.setTimeout(() => setIsSlow(true), SLOW_AFTER_MS);
    return () => window.clearTimeout(timer);
  }, []);
  return (
    <div role="status" className="appear-late flex flex-col items-center gap-4 py-16 text-center">
      <span className="loading loading-spinner loading-lg text-primary" aria-hidden="true" />
      <span className="sr-only">{label}…</span>
      {isSlow && <p className="card px-4 py-3">This is taking longer than usual. Check your connection.</p>}
    </div>
  );
}

/** Replaces "Load more" once a list has reached its maximum length. */
export function ListFull({ shown, hint }: { shown: number; hint: string }) {
  return (
    <p role="status" className="quiet pt-4 text-center">
      These are the first {shown.toLocaleString("en-US")}. {hint}
    </p>
  );
}
