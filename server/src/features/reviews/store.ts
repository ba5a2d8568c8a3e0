import { ObjectId } from "mongodb";
import type { User } from "../../auth/token-verifier.ts";
import type { ReviewDraft } from "../../contract/index.ts";
import {
  type Database,
  isDuplicateKey,
  NEWEST_FIRST,
  newestAfter,
  type PageStart,
  READ_LIMITS,
} from "../../db/client.ts";
import type { ReviewDoc, TaskDoc } from "../../db/documents/tasks.ts";
import { withoutHiddenTitles } from "../../domain/hidden-titles.ts";
import { notify } from "../../domain/notify.ts";
import { namesOf } from "../../domain/people.ts";
import { ProblemError } from "../../domain/problem-error.ts";
import { sidesOfReview } from "./rules.ts";

const TASK = { title: 1, ownerId: 1, state: 1, deadline: 1, award: 1, hidden: 1 } as const;
type TaskRow = Pick<TaskDoc, "_id" | keyof typeof TASK>;

/** Writes and lists reviews. A unique index allows one for each side of a task. */
export function reviewStore(database: Database) {
  const { tasks, reviews, notifications, transaction } = database;
  return {
    /** Stores the review of the other side of a completed task, and notifies them, in one transaction. */
    write(id: string, draft: ReviewDraft, author: User, now: Date): Promise<string> {
      const writing = transaction(async (session) => {
        const projection = { projection: TASK, session };
        const found = await tasks.findOne<TaskRow>({ _id: new ObjectId(id) }, projection);
        const { task, ...sides } = sidesOfReview(found, author, now);
        // Writing the task makes a concurrent deletion of the other side's account collide with this review.
        await tasks.updateOne({ _id: task._id }, { $set: { updatedAt: now } }, { session });
        const doc: ReviewDoc = {
          _id: new ObjectId(),
          taskId: task._id,
          taskTitle: task.title,
          authorId: author.uid,
          authorName: author.name,
          authorImage: author.picture,
          ...sides,
          anonymous: false,
          stars: draft.stars,
          text: draft.text,
          createdAt: now,
        };
        await reviews.insertOne(doc, { session });
        const to = { recipientId: doc.subjectId, asClient: doc.role === "freelancer" };
        await notify(notifications, [{ ...to, kind: "review", task, actor: author }], { session, now });
        return doc._id.toHexString();
      });
      // The reviewed client's cached record contains their rating.
      return writing.catch((error: unknown) => {
        if (isDuplicateKey(error)) throw new ProblemError("already-reviewed");
        throw error;
      });
    },

    /** A page of the public reviews of somebody, newest first, with the authors' current names. */
    async listAbout(subjectId: string, { after, limit }: PageStart): Promise<ReviewDoc[]> {
      const filter = { subjectId, ...newestAfter(after) };
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
