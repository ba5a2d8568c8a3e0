import * as z from "zod/mini";
import { JOB_KINDS, type JobKind } from "../../contract/index.ts";
import { count, instant, objectId, text } from "../mongo-schema.ts";
import { notificationDocument } from "./notifications.ts";

/** Work that repeats for as long as any instance runs. The other kinds follow from an event. */
export const REPEATED_KINDS = [
  "emails",
  "deadlines",
  "undecided-tasks",
  "deletions",
  "suspensions",
  "unused-files",
] as const satisfies JobKind[];
export type EventKind = Exclude<JobKind, (typeof REPEATED_KINDS)[number]>;

/** A decision of which a task's bidders and watchers are notified. */
const announcementContent = z.extend(
  z.pick(notificationDocument, { taskId: true, taskTitle: true, kind: true, actor: true, actorId: true }),
  {
    /** The task's revision at the time: a task's announcements are delivered in this order. */
    version: count,
    /** When the newest bid at the time was placed: freelancers of later bids are not notified. */
    until: instant,
    /** Bids whose freelancers are not notified. */
    except: z.array(objectId),
    /** True if the task was deleted, so that its bids are removed too. */
    removesBids: z.boolean(),
    createdAt: instant,
  },
);
export type AnnouncementContent = z.infer<typeof announcementContent>;

/** Work to be done later, by whichever instance claims it; deleted once it is done. See `db/jobs.ts`. */
export const jobDocument = z.object({
  /** Kind and subject: what is stored again while it waits stays one job. */
  _id: text(300, 1),
  kind: z.enum(JOB_KINDS),
  /** What it is about: ids of documents. Empty for repeated work, and for what is stored about a kind itself. */
  subject: text(200),
  /** When it may be claimed; once claimed, when its instance counts as crashed. Absent if it failed for good. */
  dueAt: z.optional(instant),
  /** The claim of the instance that works on it. */
  holder: z.optional(objectId),
  /** Claims since it was stored or last made progress. */
  attempts: count,
  /** How often it was stored; raised so that storing it again collides with completing it. */
  stored: count,
  /** How far it got. */
  cursor: z.optional(text(200)),
  /** The last failure. */
  error: z.optional(text(1_000)),
  failedAt: z.optional(instant),
  /** When work of this kind last ended well, with an empty subject. */
  lastRunAt: z.optional(instant),
  announcement: z.optional(announcementContent),
});
export type JobDoc = z.infer<typeof jobDocument>;
