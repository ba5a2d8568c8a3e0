import type { Task } from "@tasklane/server/contract";
import { formatTimeLeft, plural } from "../../../lib/format.ts";
import { stateNow } from "../../../lib/state-now.ts";
import { isUnpaid } from "../../payments/payment-details.tsx";

/** The groups of somebody's own tasks, in the order in which they are shown. */
export const GROUPS = [
  ["needs-you", "Needs you"],
  ["running", "Running"],
  ["done", "Done"],
] as const;
export type Group = (typeof GROUPS)[number][0];

/** What a task waits for, in a few words, and the group that it therefore belongs to. */
export function waitingFor(task: Task, now: Date): { group: Group; text: string } {
  const { bidsCount, agreed, reviewDue } = task;
  const bids = bidsCount > 0 ? `${plural(bidsCount, "bid")} to look at` : "";
  if (agreed?.change === "freelancer") return { group: "needs-you", text: "Change proposed" };
  if (agreed?.ending === "freelancer") return { group: "needs-you", text: "To end early?" };
  if (agreed?.ending === "operator") return { group: "running", text: "In dispute" };
  switch (stateNow(task, now)) {
    case "open":
      return { group: bids ? "needs-you" : "running", text: bids || "No bids so far" };
    case "expired":
      return { group: "needs-you", text: bids || "Extend it or post it again" };
    case "delivered":
      return { group: "needs-you", text: "Work to look at" };
    case "awarded": {
      if (agreed?.milestones && isUnpaid(task))
        return { group: "needs-you", text: "Milestone not marked as paid" };
      const left = agreed && (formatTimeLeft(agreed.due, now) ?? "Overdue");
      return { group: "running", text: agreed?.sentBack ? "Changes asked for" : (left ?? "In work") };
    }
    case "completed": {
      const review = reviewDue ? "Review to write" : "";
      const text = isUnpaid(task)
        ? agreed?.payment
          ? "Payment not received"
          : "Not marked as paid"
        : review;
      return { group: text ? "needs-you" : "done", text };
    }
    case "cancelled":
      return { group: "done", text: "" };
  }
}

/** Sort orders of somebody's own tasks. The server sends the newest first. */
export const OWN_SORTS = [
  ["", "Newest"],
  ["deadline", "Deadline"],
  ["budget", "Budget: highest"],
  ["bids", "Bids: most"],
] as const;

const COMPARE: Record<string, (a: Task, b: Task) => number> = {
  deadline: (a, b) => (a.deadline < b.deadline ? -1 : Number(a.deadline > b.deadline)),
  budget: (a, b) => b.budget - a.budget,
  bids: (a, b) => b.bidsCount - a.bidsCount,
};

/** Those tasks whose title contains the text, in this order. */
export function arranged(tasks: readonly Task[], { search, sort }: { search: string; sort: string }): Task[] {
  const wanted = search.trim().toLowerCase();
  const found = tasks.filter(({ title }) => title.toLowerCase().includes(wanted));
  return COMPARE[sort] ? found.sort(COMPARE[sort]) : found;
}
