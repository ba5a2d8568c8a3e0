import type { Database } from "../../db/client.ts";
import type { Work } from "../../db/jobs.ts";
import { notify } from "../../domain/notify.ts";

/** Shows a review that the other side has not returned in time, and notifies them. */
export function showReview({ reviews, notifications, transaction }: Database): Work {
  return ({ subject: [, _id], now, complete }) =>
    transaction(async (session) => {
      await complete(session);
      const hidden = { _id, shown: false };
      const review = await reviews.findOneAndUpdate(hidden, { $set: { shown: true } }, { session });
      if (!review) return;
      const { taskId, taskTitle: title, authorId, authorName: name, anonymous, role } = review;
      const notice = {
        recipientId: review.subjectId,
        kind: "review",
        task: { _id: taskId, title },
        asClient: role === "freelancer",
        actor: { uid: anonymous ? undefined : authorId, name },
      } as const;
      await notify(notifications, [notice], { session, now });
    });
}
