import { type Filter, ObjectId } from "mongodb";
import type { User } from "../../auth/token-verifier.ts";
import { REVIEW_LIMITS, type ReviewDraft } from "../../contract/index.ts";
import {
  type Database,
  isDuplicateKey,
  NEWEST_FIRST,
  newestAfter,
  type PageStart,
  READ_LIMITS,
} from "../../db/client.ts";
import type { ReviewDoc, TaskDoc } from "../../db/documents/tasks.ts";
import { dequeue, enqueue } from "../../db/jobs.ts";
import { withoutHiddenTitles } from "../../domain/hidden-titles.ts";
import { type Notice, notify } from "../../domain/notify.ts";
import { namesOf } from "../../domain/people.ts";
import { ProblemError } from "../../domain/problem-error.ts";
import { EDIT_MS, showing, shownFrom, sidesOfReview } from "./rules.ts";

const TASK = { title: 1, ownerId: 1, state: 1, deadline: 1, award: 1, hidden: 1 } as const;
type TaskRow = Pick<TaskDoc, "_id" | keyof typeof TASK>;

/** Writes and lists reviews. A unique index allows one for each side of a task. */
export function reviewStore(database: Database) {
  const { tasks, reviews, notifications, transaction } = database;

  /** Why none of these reviews was changed. */
  async function whyFixed(which: Filter<ReviewDoc>, detail: string): Promise<ProblemError> {
    const known = await reviews.findOne(which, { projection: { _id: 1 }, ...READ_LIMITS });
    return known ? new ProblemError("review-fixed", { detail }) : new ProblemError("review-not-found");
  }

  return {
    /** Stores the review of the other side of a completed task, and notifies them, in one transaction. */
    write(id: string, draft: ReviewDraft, author: User, now: Date): Promise<string> {
      const writing = transaction(async (session) => {
        const projection = { projection: TASK, session };
        const found = await tasks.findOne<TaskRow>({ _id: new ObjectId(id) }, projection);
        const { task, ...sides } = sidesOfReview(found, author, now);
        // The other side's concurrent review, and the deletion of their account, collide with this.
        await tasks.updateOne({ _id: task._id }, { $inc: { bidsRevision: 1 } }, { session });
        const other = await reviews.findOneAndUpdate(
          { taskId: task._id, authorId: sides.subjectId },
          { $set: { shown: true } },
          { session },
        );
        const doc: ReviewDoc = {
          _id: new ObjectId(),
          taskId: task._id,
          taskTitle: task.title,
          authorId: author.uid,
          authorName: author.name,
          authorImage: author.picture,
          ...sides,
          anonymous: false,
          ...(task.award?.ended === "decision" && { endedByDecision: true }),
          shown: other !== null,
          stars: draft.stars,
          text: draft.text,
          createdAt: now,
        };
        await reviews.insertOne(doc, { session });
        const about = { task, actor: author };
        const asClient = doc.role === "freelancer";
        const kind = other ? "review" : "review-waiting";
        const notices: Notice[] = [{ recipientId: doc.subjectId, asClient, kind, ...about }];
        if (other && !other.shown) {
          const actor = { uid: other.authorId, name: other.authorName };
          notices.push({ ...about, recipientId: author.uid, asClient: !asClient, kind: "review", actor });
          await dequeue(database, showing(other), session);
        }
        if (!other) await enqueue(database, { ...showing(doc), dueAt: shownFrom(doc) }, session);
        await notify(notifications, notices, { session, now });
        return doc._id.toHexString();
      });
      return writing.catch((error: unknown) => {
        if (isDuplicateKey(error)) throw new ProblemError("already-reviewed");
        throw error;
      });
    },

    /** Changes the author's review within a day. @throws {ProblemError} `review-not-found` or `review-fixed`. */
    edit(id: string, { stars, text }: ReviewDraft, { uid: authorId }: User, now: Date): Promise<boolean> {
      const own = { taskId: new ObjectId(id), authorId };
      return database.write(async (options) => {
        const fresh = { ...own, createdAt: { $gt: new Date(now.getTime() - EDIT_MS) } };
        const { matchedCount, modifiedCount } = await reviews.updateOne(
          fresh,
          { $set: { stars, text } },
          options,
        );
        if (matchedCount === 0) throw await whyFixed(own, TOO_LATE);
        return modifiedCount > 0;
      });
    },

    /** Replies to a review of this person, once. @throws {ProblemError} `review-not-found` or `review-fixed`. */
    reply(id: string, text: string, { uid: subjectId }: User, now: Date): Promise<boolean> {
      const received = { _id: new ObjectId(id), subjectId, shown: true };
      return database.write(async (options) => {
        const unanswered = { ...received, reply: { $exists: false } };
        const change = { $set: { reply: { text, createdAt: now } } };
        const { matchedCount } = await reviews.updateOne(unanswered, change, options);
        if (matchedCount === 0) throw await whyFixed(received, REPLIED);
        return true;
      });
    },

    /** A page of the public reviews of somebody, newest first, with the authors' current names. */
    async listAbout(subjectId: string, { after, limit }: PageStart): Promise<ReviewDoc[]> {
      const filter = { subjectId, shown: true, ...newestAfter(after) };
      const options = { sort: NEWEST_FIRST, limit, ...READ_LIMITS };
      const found = await reviews.find(filter, { ...options, hint: "subject-newest" }).toArray();
      const known = await namesOf(
        database,
        found.map(({ authorId }) => authorId),
      );
      const named = found.map(({ authorName, authorImage, ...review }) => {
        const { name, image } = known.get(review.authorId) ?? { name: authorName, image: authorImage };
        return { ...review, authorName: name, authorImage: image };
      });
      return withoutHiddenTitles(database, named, () => undefined);
    },
  };
}

const TOO_LATE = `A review can be changed for ${REVIEW_LIMITS.editHours} hours.`;
const REPLIED = "You have replied to this review already.";
