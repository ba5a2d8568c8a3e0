import { site } from "../lib/site.ts";

/** The brand: three lanes with a task in each, and the name. */
export function Logo() {
  return (
    <span className="flex items-center gap-2.5 text-xl font-semibold tracking-tight">
      <img src="/favicon.svg" alt="" width="32" height="32" />
      {site.brand}
    </span>
  );
}
