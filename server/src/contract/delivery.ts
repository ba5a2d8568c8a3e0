import * as z from "zod/mini";
import { httpsLink, paragraph } from "./fields.ts";

/** Bounds of what is handed in and of what is said about it: characters, and links. */
export const DELIVERY_LIMITS = { note: 2_000, links: 5, link: 2_000, reason: 1_000 } as const;

/** So many days after a delivery a client who did not react is reminded. */
export const REMIND_AFTER_DAYS = [7, 12] as const;
/** So many days after a delivery its freelancer may mark the task as completed. */
export const DAYS_TO_REACT = 14;

// @__NO_SIDE_EFFECTS__
function linkList() {
  return z
    .array(httpsLink("Each link", DELIVERY_LIMITS.link), { error: "Give the links as a list." })
    .check(z.maxLength(DELIVERY_LIMITS.links, `Give at most ${DELIVERY_LIMITS.links} links.`));
}

const note = paragraph("Note", DELIVERY_LIMITS.note);
const links = linkList();
const reason = paragraph("Reason", DELIVERY_LIMITS.reason);

/** `POST /tasks/:id/deliveries`: what the hired freelancer hands in. */
export const deliveryDraftSchema = z.object({ note, links });
export type DeliveryDraft = z.infer<typeof deliveryDraftSchema>;

/** `POST /tasks/:id/changes`: what the client still misses in a delivery. */
export const changeRequestSchema = z.object({ reason });
export type ChangeRequest = z.infer<typeof changeRequestSchema>;

/** What can happen to a task, as its timeline shows it. */
export const TIMELINE_KINDS = [
  "posted",
  "awarded",
  "delivered",
  "changes-requested",
  "completed",
  "cancelled",
  "closed",
  "reopened",
] as const;
export type TimelineKind = (typeof TIMELINE_KINDS)[number];
/** What only the client and whom they hired at that time are shown. */
export const PRIVATE_KINDS: readonly TimelineKind[] = ["delivered", "changes-requested"];

/** One step of a task's life. `at` is an ISO instant; what follows it is for the two sides only. */
export const timelineEntrySchema = z.object({
  _id: z.string(),
  kind: z.enum(TIMELINE_KINDS),
  at: z.string(),
  /** Whose doing it was; absent where nobody did anything. */
  by: z.optional(z.enum(["client", "freelancer"])),
  /** With `delivered`; gone once its author deleted their account, as is a reason. */
  note: z.optional(note),
  links: z.optional(links),
  /** With `changes-requested`, and with `cancelled` after an award. */
  reason: z.optional(reason),
});
export type TimelineEntry = z.infer<typeof timelineEntrySchema>;

/** `GET /tasks/:id/timeline`: the steps, oldest first. */
export const timelineSchema = z.object({
  entries: z.array(timelineEntrySchema),
  /** While work waits for the client: from this ISO instant on its freelancer may mark the task as completed. */
  mayCompleteFrom: z.optional(z.string()),
});
export type Timeline = z.infer<typeof timelineSchema>;
