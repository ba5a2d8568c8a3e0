import { QUEUE_KINDS, type QueueKind, type ReportReason } from "@tasklane/server/contract";
import { REASON_OPTIONS } from "../report-queries.ts";
import type { QueueFilters, ReportFilters } from "./operator-queries.ts";

/** The states that the pages can show; `all` stands for no filter. */
const STATES = { open: "Open", resolved: "Resolved", all: "All" } as const;

/** Why something stands in the queue, as operators read it. */
const QUEUE_KIND_WORDS: Record<QueueKind, string> = {
  "first-task": "First tasks of a client",
  "contact-data": "Contact data",
};
const KIND_OPTIONS = QUEUE_KINDS.map((kind) => [kind, QUEUE_KIND_WORDS[kind]] as const);

type Select = { name: string; label: string; options: readonly (readonly [string, string])[]; start: string };
const STATE: Select = { name: "state", label: "Show", options: Object.entries(STATES), start: "open" };

/** What narrows each list. */
export const REPORT_SELECTS: readonly Select[] = [
  STATE,
  { name: "reason", label: "Reason", options: [["", "All reasons"], ...REASON_OPTIONS], start: "" },
];
export const QUEUE_SELECTS: readonly Select[] = [
  STATE,
  { name: "kind", label: "Why", options: [["", "Everything"], ...KIND_OPTIONS], start: "" },
];
export type { Select };

function readState(params: URLSearchParams) {
  const state = params.get("state");
  return state === "all" ? {} : ({ state: state === "resolved" ? "resolved" : "open" } as const);
}

/** Which reports the address names: open ones, if it says nothing else. */
export function readFilters(params: URLSearchParams): ReportFilters {
  const reason = REASON_OPTIONS.find(([name]) => name === params.get("reason"))?.[0];
  return { ...readState(params), ...(reason && { reason: reason as ReportReason }) };
}

/** The same for the queue. */
export function readQueueFilters(params: URLSearchParams): QueueFilters {
  const kind = QUEUE_KINDS.find((name) => name === params.get("kind"));
  return { ...readState(params), ...(kind && { kind }) };
}
