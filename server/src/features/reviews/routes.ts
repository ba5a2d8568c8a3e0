import { type Filter, ObjectId } from "mongodb";
import type { User } from "../../auth/token-verifier.ts";
import type { Context } from "../../context.ts";
import { REVIEW_LIMITS } from "../../contract/index.ts";
import { peopleEndpoints } from "../../contract/profile.ts";
import { isDuplicateKey } from "../../db/client.ts";
import type { ReviewDoc } from "../../db/documents/tasks.ts";
import { dequeue, enqueue } from "../../db/jobs.ts";
import { withoutHiddenTitles } from "../../domain/hidden-titles.ts";
import { type Notice, notify } from "../../domain/notify.ts";
import { namesOf, personIn, storeRating, suspendedOf } from "../../domain/people.ts";
import { ProblemError } from "../../domain/problem-error.ts";
import type { Api } from "../../http/mount.ts";
import { readNewest } from "../../http/pagination.ts";
import { listPeople } from "./directory.ts";
import { profileQueries } from "./profile-store.ts";
import { EDIT_MS, presentReview, showing, shownFrom, sidesOfReview } from "./rules.ts";

/** Reviews of completed tasks, and public profiles. */
export function reviewRoutes(api: Api, { database, readCache }: Context): void {
  const { tasks, reviews, notifications, transaction, write } = database;
  const profiles = profileQueries(database, readCache);

  /** Why none of these reviews was changed. */
  async function whyFixed(which: Filter<ReviewDoc>, detail: string): Promise<ProblemError> {
    const known = await reviews.findOne(which, { projection: { _id: 1 } });
    return known ? new ProblemError("review-fixed", { detail }) : new ProblemError("review-not-found");
  }

  /** Only operators see profiles of suspended people. @throws {ProblemError} `person-not-found`. */
  async function checkVisible(id: string, visitor: User | undefined): Promise<void> {
    if (!visitor?.isOperator && (await suspendedOf(database, [id])).has(id))
      throw new ProblemError("person-not-found");
  }

  api.mount(peopleEndpoints, {
    // One for each side of a task, by a unique index; in one transaction with the notification of the other side.
    writeReview: ({ params, body: { stars, text }, user: author, now }) => {
      const writing = transaction(async () => {
        const found = await tasks.findOne({ _id: params.id });
        const { task, ...sides } = sidesOfReview(found, author, now);
        const { _id: taskId, title: taskTitle, award } = task;
        // The other side's concurrent review, and the deletion of their account, collide with this.
        await tasks.updateOne({ _id: taskId }, { $inc: { bidsRevision: 1 } });
        const other = await reviews.findOneAndUpdate(
          { taskId, authorId: sides.subjectId },
          { $set: { shown: true } },
        );
        const doc: ReviewDoc = {
          ...{ _id: new ObjectId(), taskId, taskTitle },
          ...{ authorId: author.uid, authorName: author.name, authorImage: author.picture },
          ...sides,
          anonymous: false,
          ...(award?.ended === "decision" && { endedByDecision: true }),
          shown: other !== null,
          ...{ stars, text, createdAt: now },
        };
        await reviews.insertOne(doc);
        if (other) await storeRating(database, doc.subjectId);
        const about = { task, actor: author };
        const asClient = doc.role === "freelancer";
        const kind = other ? "review" : "review-waiting";
        const notices: Notice[] = [{ recipientId: doc.subjectId, asClient, kind, ...about }];
        if (other && !other.shown) {
          const { authorId: uid, authorName: name } = other;
          const actor = (await personIn(database, uid)) ?? { uid, name };
          notices.push({ ...about, recipientId: author.uid, asClient: !asClient, kind: "review", actor });
          await dequeue(database, showing(other));
          await storeRating(database, author.uid);
        }
        if (!other) await enqueue(database, { ...showing(doc), dueAt: shownFrom(doc) });
        await notify(notifications, notices, now);
        return doc._id;
      });
      return writing.catch((error: unknown) => {
        if (isDuplicateKey(error)) throw new ProblemError("already-reviewed");
        throw error;
      });
    },

    editReview: ({ params, body: { stars, text }, user, now }) => {
      const own = { taskId: params.id, authorId: user.uid };
      return transaction(async () => {
        const fresh = { ...own, createdAt: { $gt: new Date(now.getTime() - EDIT_MS) } };
        const change = { $set: { stars, text } };
        const before = await reviews.findOneAndUpdate(fresh, change);
        if (!before) throw await whyFixed(own, TOO_LATE);
        if (before.shown) await storeRating(database, before.subjectId);
        return before.stars !== stars || before.text !== text;
      });
    },

    replyToReview: ({ params, body: { text }, user, now }) => {
      const received = { _id: params.id, subjectId: user.uid, shown: true };
      return write(async () => {
        const unanswered = { ...received, reply: { $exists: false } };
        const change = { $set: { reply: { text, createdAt: now } } };
        const { matchedCount } = await reviews.updateOne(unanswered, change);
        if (matchedCount === 0) throw await whyFixed(received, "You have replied to this review already.");
        return true;
      });
    },

    listPeople: (call) => listPeople(database, call),

    readProfile: async ({ params, user, now }) => {
      await checkVisible(params.id, user);
      const profile = await profiles.read(params.id, now);
      if (!profile) throw new ProblemError("person-not-found");
      return profile;
    },

    listReviews: async ({ params: { id }, user, ...call }) => {
      await checkVisible(id, user);
      const [total, page] = await Promise.all([
        profiles.countReviews(id),
        readNewest(call, `reviews ${id}`, reviews, { subjectId: id, shown: true }),
      ]);
      if (total === undefined) throw new ProblemError("person-not-found");
      call.response.setHeader("X-Total-Count", total);
      const authors = page.map(({ authorId }) => authorId);
      const known = await namesOf(database, authors);
      const titled = await withoutHiddenTitles(database, page, () => undefined);
      return titled.map((review) => presentReview(review, known.get(review.authorId)));
    },
  });
}

const TOO_LATE = `A review can be changed for ${REVIEW_LIMITS.editHours} hours.`;
