/** What the product writes and reads when people act, with the bare driver: no permission checks, no live events. */
import { type ClientSession, type Document, type MongoClient, ObjectId } from "mongodb";
import type { TaskDraft } from "../../../src/contract/index.ts";
import { ratingsPlan } from "../../../src/db/people.ts";
import { titleGrams } from "../../../src/db/task-search.ts";
import { aTaskDoc } from "../../../test/builders.ts";

type Body = { draft?: TaskDraft; bid?: string; text?: string };
type Handler = (id: string, body: Body) => Promise<unknown>;

const PAGE = 21;
const NEWEST = { createdAt: -1, _id: -1 } as const;

/** The acts by the first segment of the path; the second is the id. */
export function floorActs(client: MongoClient, dbName: string): Record<string, Handler> {
  const db = client.db(dbName);
  const of = <T extends Document = Document>(name: string) => db.collection<T>(name);
  const [tasks, bids, notifications] = [of("tasks"), of("bids"), of("notifications")];
  const inTransaction = <T>(work: (session: ClientSession) => Promise<T>) =>
    client.withSession((session) => session.withTransaction(work));

  return {
    async post(_, { draft }) {
      const { title = "", description = "" } = draft ?? {};
      const task = aTaskDoc({ title, description, ownerId: "bidder-0" });
      await tasks.insertOne(task);
      return { insertedId: task._id };
    },

    edit: (id, { draft }) =>
      inTransaction((session) =>
        tasks.findOneAndUpdate(
          { _id: new ObjectId(id) },
          {
            $set: { ...draft, titleGrams: titleGrams(draft?.title ?? ""), updatedAt: new Date() },
            $inc: { revision: 1 },
          },
          { session, projection: { title: 1, state: 1 } },
        ),
      ),

    award: (id, body) =>
      inTransaction(async (session) => {
        const [taskId, bidId, now] = [new ObjectId(id), new ObjectId(body.bid), new Date()];
        const won = { $set: { state: "awarded" } };
        const bid = await bids.findOneAndUpdate({ _id: bidId, taskId }, won, { session });
        const { bidderId, bidderName: name, bidderEmail: email, amount } = bid as Document;
        const award = { bidId, freelancerId: bidderId, name, email, amount, at: now };
        await tasks.updateOne(
          { _id: taskId, state: "open" },
          {
            $set: { state: "awarded", award, updatedAt: now },
            $inc: { awardCount: 1, revision: 1, bidsRevision: 1 },
          },
          { session },
        );
        const sides = { clientId: "bidder-0", freelancerId: bidderId };
        await of("timeline").insertOne(
          { taskId, ...sides, kind: "awarded", by: "client", at: now },
          { session },
        );
        const about = { taskId, taskTitle: "A task", actor: "Bidder 0", actorId: "bidder-0", createdAt: now };
        const notice = {
          ...about,
          recipientId: bidderId,
          kind: "awarded",
          asClient: false,
          amount,
          readAt: null,
        };
        await notifications.insertOne(notice, { session });
        const rest = {
          version: 0,
          until: now,
          except: [bidId],
          removesBids: false,
          audience: "bidders",
          after: "",
        };
        // Never due, so that the product on the same database does not send it.
        const dueAt = new Date("2999-01-01");
        await of("announcements").insertOne({ ...about, kind: "declined", ...rest, dueAt }, { session });
        return { modifiedCount: 1 };
      }),

    message: (id, { text }) =>
      inTransaction(async (session) => {
        const [_id, now] = [new ObjectId(id), new Date()];
        const conversation = await of("conversations").findOneAndUpdate(
          { _id },
          { $inc: { count: 1, "seen.client": 1 }, $set: { lastAt: now, noticeAt: now } },
          { session, returnDocument: "after" },
        );
        const number = (conversation as Document)["count"] as number;
        const message = { conversationId: _id, number, by: "client", text, createdAt: now };
        await of("messages").insertOne(message, { session });
        return { number };
      }),

    /** Also reads which of the tasks are hidden, because the product withholds their titles. */
    async notifications(recipientId) {
      const [found] = await Promise.all([
        notifications.find({ recipientId }).sort({ _id: -1 }).limit(PAGE).toArray(),
        notifications.countDocuments({ recipientId, readAt: null }),
      ]);
      const ids = found.map(({ taskId }) => taskId as ObjectId);
      const projection = { ownerId: 1, "award.freelancerId": 1, hidden: 1 };
      const notifiedTasks = await tasks.find({ _id: { $in: ids } }, { projection, hint: "_id_" }).toArray();
      return { found, notifiedTasks };
    },

    /** Also reads the task's owner, the freelancers' ratings and suspensions. */
    async receivedBids(id) {
      const taskId = new ObjectId(id);
      const projection = { ownerId: 1, budget: 1, award: 1, bidsCount: 1, hidden: 1 };
      const task = await tasks.findOne({ _id: taskId }, { projection });
      const found = await bids.find({ taskId }).sort(NEWEST).limit(PAGE).hint("inbox-newest").toArray();
      const people = found.map(({ bidderId }) => bidderId as string);
      const [ratings, suspended] = await Promise.all([
        of("reviews").aggregate(ratingsPlan(people), { hint: "subject-stars" }).toArray(),
        of<{ _id: string }>("suspensions")
          .find({ _id: { $in: people }, liftedAt: null }, { projection: { _id: 1 }, hint: "_id_" })
          .toArray(),
      ]);
      return { task, found, ratings, suspended };
    },
  };
}
