import { QUEUE_KINDS, type QueueKind, type ReportReason } from "@tasklane/server/contract";
import { useLocation, useNavigation, useSearchParams } from "react-router-dom";
import { REASON_OPTIONS } from "../report-queries.ts";
import type { QueueFilters, ReportFilters } from "./operator-queries.ts";

/** `all` means no filter. */
const STATES = { open: "Open", resolved: "Resolved", all: "All" } as const;

/** Why an entry is in the queue. */
const QUEUE_KIND_WORDS: Record<QueueKind, string> = {
  "first-task": "First tasks of a client",
  "contact-data": "Contact data",
  dispute: "Dispute",
  "infected-file": "Infected file",
};
const KIND_OPTIONS = QUEUE_KINDS.map((kind) => [kind, QUEUE_KIND_WORDS[kind]] as const);

type Select = { name: string; label: string; options: readonly (readonly [string, string])[]; start: string };
const STATE: Select = { name: "state", label: "Show", options: Object.entries(STATES), start: "open" };

export const REPORT_SELECTS: readonly Select[] = [
  STATE,
  { name: "reason", label: "Reason", options: [["", "All reasons"], ...REASON_OPTIONS], start: "" },
];
export const QUEUE_SELECTS: readonly Select[] = [
  STATE,
  { name: "kind", label: "Why", options: [["", "Everything"], ...KIND_OPTIONS], start: "" },
];

function readState(params: URLSearchParams) {
  const state = params.get("state");
  return state === "all" ? {} : ({ state: state === "resolved" ? "resolved" : "open" } as const);
}

/** Reads the reports' filters from the URL; the default is open reports. */
export function readFilters(params: URLSearchParams): ReportFilters {
  const reason = REASON_OPTIONS.find(([name]) => name === params.get("reason"))?.[0];
  return { ...readState(params), ...(reason && { reason: reason as ReportReason }) };
}

/** Reads the queue's filters from the URL; the default is open entries. */
export function readQueueFilters(params: URLSearchParams): QueueFilters {
  const kind = QUEUE_KINDS.find((name) => name === params.get("kind"));
  return { ...readState(params), ...(kind && { kind }) };
}

/** The filters of an operators' list, stored in the URL. */
export function ListFilters({ selects }: { selects: readonly Select[] }) {
  const [, setParams] = useSearchParams();
  const { pathname, search } = useLocation();
  const { location: next } = useNavigation();
  // Shows the new choice while its list is still loading.
  const params = new URLSearchParams(next?.pathname === pathname ? next.search : search);
  return (
    // The minimum column width fits the longest option with its arrow.
    <div className="grid grid-cols-[repeat(auto-fit,minmax(min(100%,13.5rem),1fr))] gap-3 sm:max-w-md">
      {selects.map(({ name, label, options, start }) => (
        <div key={name} className="space-y-1.5">
          <label htmlFor={`list-${name}`} className="block text-sm font-semibold">
            {label}
          </label>
          <select
            id={`list-${name}`}
            className="select w-full"
            value={params.get(name) ?? start}
            onChange={({ target }) => {
              params.set(name, target.value);
              params.delete("shown");
              setParams(params);
            }}
          >
            {options.map(([value, text]) => (
              <option key={value} value={value}>
                {text}
              </option>
            ))}
          </select>
        </div>
      ))}
    </div>
  );
}
