import type { Database } from "../../db/client.ts";
import type { Work } from "../../db/jobs.ts";
import { notify } from "../../domain/notify.ts";
import { personIn, storeRating } from "../../domain/people.ts";

/** Shows a review that the other side has not returned in time, and notifies them. */
export function showReview(database: Database): Work {
  const { reviews, notifications, transaction } = database;
  return ({ subject: [, _id], now, complete }) =>
    transaction(async () => {
      await complete();
      const hidden = { _id, shown: false };
      const review = await reviews.findOneAndUpdate(hidden, { $set: { shown: true } });
      if (!review) return;
      await storeRating(database, review.subjectId);
      const { taskId, taskTitle: title, authorId, authorName: name, anonymous, role } = review;
      const notice = {
        recipientId: review.subjectId,
        kind: "review",
        task: { _id: taskId, title },
        asClient: role === "freelancer",
        actor: (await personIn(database, authorId)) ?? { uid: anonymous ? undefined : authorId, name },
      } as const;
      await notify(notifications, [notice], now);
    });
}
