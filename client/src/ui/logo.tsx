import { site } from "../lib/site.ts";

/** The brand: three lanes with a task in each, and the name; `crowded` leaves the name out on the narrowest phones. */
export function Logo({ crowded = false }: { crowded?: boolean }) {
  return (
    <span className="flex items-center gap-2.5 text-xl font-semibold tracking-tight">
      <img src="/favicon.svg" alt="" width="32" height="32" />
      <span className={crowded ? "@max-[23.4rem]:hidden" : ""}>{site.brand}</span>
    </span>
  );
}
