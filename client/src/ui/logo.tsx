import { site } from "../lib/site.ts";

/** The brand: three lanes with a task in each, and the name. */
export function Logo() {
  return (
    <span className="inline-flex items-center gap-2.5 text-xl font-semibold tracking-tight">
      <svg viewBox="0 0 32 32" className="size-8" aria-hidden="true">
        <rect width="32" height="32" rx="8" fill="#0f5c4d" />
        <path
          d="M7 10h18M7 16h18M7 22h18"
          stroke="#9ed8c3"
          strokeWidth="2.4"
          strokeLinecap="round"
          opacity=".55"
        />
        <rect x="8" y="7" width="10" height="6" rx="3" fill="#f2a53b" />
        <rect x="15" y="13" width="10" height="6" rx="3" fill="#fff" />
        <rect x="10" y="19" width="10" height="6" rx="3" fill="#9ed8c3" />
      </svg>
      {site.brand}
    </span>
  );
}
