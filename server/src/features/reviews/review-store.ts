import { ObjectId } from "mongodb";
import type { Database } from "../../db/client.ts";
import type { ReviewDoc, TaskDoc } from "../../db/documents.ts";
import { withoutHiddenTitles } from "../../db/hidden-tasks.ts";
import { isDuplicateKey, NEWEST_FIRST, newestAfter, READ_LIMITS } from "../../db/mongo.ts";
import { notify } from "../../db/notices.ts";

/** A task as far as its reviews go. */
export type ReviewTaskRow = Pick<
  TaskDoc,
  "_id" | "title" | "ownerId" | "state" | "deadline" | "award" | "hidden"
>;

/** A review to be written: everything but its id. */
export type NewReview = Omit<ReviewDoc, "_id" | "taskId" | "taskTitle">;

/** `refused`: the task is not any more what its writer saw. */
export type ReviewOutcome = { written: string } | "already-reviewed" | "refused";

export type ReviewStore = ReturnType<typeof reviewStore>;

const TASK = { title: 1, ownerId: 1, state: 1, deadline: 1, award: 1, hidden: 1 } as const;

/** Writes and lists reviews. One for each side of a task: the unique index refuses the second. */
export function reviewStore({
  tasks,
  reviews,
  notifications,
  transaction,
  hints,
}: Pick<Database, "tasks" | "reviews" | "notifications" | "transaction" | "hints">) {
  return {
    findTask(id: string): Promise<ReviewTaskRow | null> {
      return tasks.findOne<ReviewTaskRow>({ _id: new ObjectId(id) }, { ...READ_LIMITS, projection: TASK });
    },

    /** Writes the review and tells its subject, both or neither. */
    async write(task: ReviewTaskRow, review: NewReview): Promise<ReviewOutcome> {
      const doc: ReviewDoc = { _id: new ObjectId(), taskId: task._id, taskTitle: task.title, ...review };
      const author = { uid: review.authorId, name: review.authorName };
      const sides = { ownerId: task.ownerId, "award.freelancerId": task.award?.freelancerId ?? null };
      try {
        return await transaction(async (session): Promise<ReviewOutcome> => {
          // Written, not only read: a side that deletes its account meanwhile collides here instead of being reviewed.
          const { matchedCount } = await tasks.updateOne(
            { _id: task._id, state: "completed", ...sides },
            { $set: { updatedAt: review.createdAt } },
            { session },
          );
          if (matchedCount === 0) return "refused";
          await reviews.insertOne(doc, { session });
          const to = { recipientId: doc.subjectId, asClient: doc.role === "freelancer" };
          const notice = { ...to, kind: "review", task, actor: author } as const;
          await notify(notifications, [notice], { session, now: review.createdAt });
          return { written: doc._id.toHexString() };
        });
      } catch (error) {
        if (isDuplicateKey(error)) return "already-reviewed";
        throw error;
      }
    },

    /** A page of what others say about somebody, newest first, for anybody to read. */
    async listAbout(
      subjectId: string,
      { after, limit }: { after: { at: string; id: string } | undefined; limit: number },
    ): Promise<ReviewDoc[]> {
      const filter = { subjectId, ...newestAfter(after) };
      const options = { sort: NEWEST_FIRST, limit, ...READ_LIMITS };
      const found = await hints.using("reviews", "subject-newest", (hint) =>
        reviews.find(filter, { ...options, ...hint }).toArray(),
      );
      return withoutHiddenTitles({ tasks }, found, () => undefined);
    },
  };
}
