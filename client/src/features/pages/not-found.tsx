import { Link } from "react-router-dom";
import { paths } from "../../lib/paths.ts";
import { PageMeta } from "../../ui/page-head.tsx";

/** The page for every unknown URL. */
export function Component() {
  return (
    <div className="page grid min-h-[calc(100dvh-4rem)] grid-cols-1 content-center justify-items-center gap-8 py-10 text-center">
      <PageMeta title="Error" missing />
      <LostCard />
      <div className="space-y-3">
        <h1 className="text-4xl font-semibold sm:text-5xl">404 - Page Not Found</h1>
        <p className="quiet text-lg text-balance">Oops! The page you're looking for doesn't exist.</p>
      </div>
      <div className="flex flex-wrap justify-center gap-3">
        <Link to={paths.home} className="btn btn-primary">
          Go Back Home
        </Link>
        <Link to={paths.browse} className="btn btn-outline">
          Browse Tasks
        </Link>
        <Link to={paths.contact} className="btn btn-ghost">
          Contact
        </Link>
      </div>
    </div>
  );
}

/** Illustration: a lane bent into "404", and a task card that has come off it. */
function LostCard() {
  return (
    <svg
      viewBox="0 0 560 220"
      fill="none"
      aria-hidden="true"
      className="h-auto w-full max-w-xl [stroke-linecap:round] [stroke-linejoin:round]"
    >
      <g className="stroke-primary stroke-[26]">
        <path d="M14 140H172M132 92V196M120 30L50 140" />
        <path d="M388 140H546M508 92V196M496 30L426 140" />
      </g>
      <circle cx="280" cy="113" r="78" className="stroke-accent stroke-[26]" />
      <g strokeWidth="3" strokeDasharray="2 14" className="stroke-base-100 opacity-70">
        <path d="M14 140H172M132 92V196M120 30L50 140" />
        <path d="M388 140H546M508 92V196M496 30L426 140" />
      </g>
      <g className="fill-base-100 stroke-base-content stroke-6">
        <circle cx="14" cy="140" r="10" />
        <circle cx="546" cy="140" r="10" />
        <circle cx="280" cy="35" r="10" />
      </g>
      <g transform="translate(286 128) rotate(-18)">
        <rect x="-56" y="-34" width="112" height="76" rx="13" className="fill-base-content opacity-15" />
        <rect x="-56" y="-40" width="112" height="76" rx="13" className="fill-base-100 stroke-base-300" />
        <rect x="-42" y="-27" width="36" height="13" rx="6.5" fill="#e4694a" />
        <circle cx="36" cy="-20" r="9" fill="#e4694a" />
        <path d="M-38 2H38M-38 20H8" strokeWidth="9" className="stroke-base-300" />
      </g>
    </svg>
  );
}
