import { type Filter, ObjectId } from "mongodb";
import type { User } from "../../auth/token-verifier.ts";
import type { Context } from "../../context.ts";
import { conversationEndpoints } from "../../contract/conversation.ts";
import { isDuplicateKey } from "../../db/client.ts";
import { bidState } from "../../db/documents/bids.ts";
import type { ConversationDoc } from "../../db/documents/conversations.ts";
import { dequeue, enqueue } from "../../db/jobs.ts";
import { attachFiles, filesOn } from "../../domain/files.ts";
import { isFormerMember } from "../../domain/notify.ts";
import { ProblemError } from "../../domain/problem-error.ts";
import { requireClient } from "../../domain/task-conditions.ts";
import type { Api } from "../../http/mount.ts";
import { CLOSED_DETAILS, otherOf, presentMessage, roleOf, whyClosed } from "./rules.ts";

type BidPath = { id: ObjectId; bidId: ObjectId };
type Opened = { id: ObjectId; isNew: boolean };

/** How long messages stay unread before their reader is notified. */
const NOTICE_MS = 10 * 60_000;

/** The writes of a conversation's two members. Each is one transaction, and its filter checks the membership. */
export function conversationWriteRoutes(api: Api, { database }: Context): void {
  const { tasks, bids, people, conversations, messages, notifications, transactionOn } = database;

  /** Opens the existing conversation with a bid's freelancer, or a new one if the bid is shortlisted or awarded. */
  function openWith({ id: taskId, bidId }: BidPath, client: User, now: Date): Promise<Opened> {
    return transactionOn(taskId, async (): Promise<Opened> => {
      const task = await tasks.findOne({ _id: taskId });
      requireClient(task, client);
      const bid = await bids.findOne({ _id: bidId, taskId });
      if (!bid) throw new ProblemError("bid-not-found");
      const { bidderId: freelancerId } = bid;
      const known = await conversations.findOne({ taskId, freelancerId });
      if (known) return { id: known._id, isNew: false };
      if (!["shortlisted", "awarded"].includes(bidState(bid, task)))
        throw isFormerMember(freelancerId) ? closed("left") : new ProblemError("bid-not-shortlisted");
      const members = { clientId: client.uid, freelancerId };
      const others = betweenThem(client.uid, freelancerId);
      const blocked = { ...others, "blockedBy.0": { $exists: true } };
      const { blockedBy = [] } = (await conversations.findOne(blocked)) ?? {};
      const reason = whyClosed({ ...members, blockedBy }, task, client.uid, now);
      if (reason) throw closed(reason);
      const conversation: ConversationDoc = {
        ...{ _id: new ObjectId(), taskId, taskTitle: task.title },
        ...{ ...members, memberIds: [client.uid, freelancerId], blockedBy: [] },
        ...{ count: 0, seen: { client: 0, freelancer: 0 }, lastAt: now, createdAt: now },
      };
      // Writing the pair's other conversations makes a concurrent block collide instead of missing this conversation.
      const raised = { $inc: { pairRevision: 1 } };
      const { matchedCount } = await conversations.updateMany(others, raised);
      // If there are none, always writing the same one of the two people makes concurrent first conversations collide.
      const [_id] = [client.uid, freelancerId].toSorted() as [string, string];
      if (matchedCount === 0) await people.updateOne({ _id }, raised);
      await conversations.insertOne(conversation);
      return { id: conversation._id, isNew: true };
    });
  }

  /** Changes a conversation of this member. */
  function change<T>(
    _id: ObjectId,
    uid: string,
    work: (conversation: ConversationDoc) => Promise<T>,
  ): Promise<T> {
    return transactionOn(_id, async () => {
      const conversation = await conversations.findOne({ _id, memberIds: uid });
      if (!conversation) throw new ProblemError("conversation-not-found");
      return work(conversation);
    });
  }

  /** Marks the member's notifications about the conversation's messages as read. */
  async function markNotificationsRead(conversationId: ObjectId, uid: string, now: Date) {
    const filter = { recipientId: uid, readAt: null, conversationId };
    await notifications.updateMany(filter, { $set: { readAt: now, readBy: uid } });
  }

  api.mount(conversationEndpoints, {
    openConversation: async ({ params, user, now, response }) => {
      const opening = openWith(params, user, now).catch((error: unknown) => {
        // Another instance has just opened it.
        if (isDuplicateKey(error)) return openWith(params, user, now);
        throw error;
      });
      const { id, isNew } = await opening;
      if (!isNew) response.status(200);
      return id;
    },

    // Marks all earlier messages as seen by the author.
    sendMessage: async ({ params, body: { text, files }, user: { uid }, now }) => {
      const sent = await change(params.id, uid, async (conversation) => {
        const { _id, taskId, count, memberIds: readers } = conversation;
        const task = await tasks.findOne({ _id: taskId });
        const reason = whyClosed(conversation, task, uid, now);
        if (reason) throw closed(reason);
        const by = roleOf(conversation, uid);
        const number = count + 1;
        const unreadBy = otherOf(conversation, uid);
        await conversations.updateOne(
          { _id, taskId, memberIds: uid, count, blockedBy: [] },
          { $set: { count: number, lastAt: now, [`seen.${by}`]: number, unreadBy } },
        );
        if (conversation.unreadBy === uid) await markNotificationsRead(_id, uid, now);
        const notice = { kind: "unread-messages", subject: [taskId, _id] } as const;
        const dueAt = new Date(now.getTime() + NOTICE_MS);
        // The first unread message decides when their reader is notified of all of them.
        const keepsDueAt = conversation.unreadBy === unreadBy;
        await enqueue(database, { ...notice, dueAt, keepsDueAt });
        const withFiles = files?.length ? (true as const) : undefined;
        const on = new ObjectId();
        const message = { _id: on, conversationId: _id, number, by, text, withFiles, createdAt: now };
        await messages.insertOne(message);
        if (files) await attachFiles(database, uid, files, { kind: "message", on, taskId, readers, by }, now);
        return message;
      });
      return presentMessage(sent, sent.by, sent.withFiles && (await filesOn(database, [sent])));
    },

    // After the last message, its reader's notifications are read, too.
    seeMessages: ({ params, body, user: { uid }, now }) =>
      change(params.id, uid, async (conversation): Promise<boolean> => {
        const { _id, taskId, count, seen: before, unreadBy } = conversation;
        const role = roleOf(conversation, uid);
        const seen = Math.min(body.number, count);
        if (before[role] >= seen) return false;
        const isAll = seen === count && unreadBy === uid;
        const { matchedCount } = await conversations.updateOne(
          { _id, taskId, memberIds: uid, [`seen.${role}`]: { $lt: seen } },
          { $set: { [`seen.${role}`]: seen }, ...(isAll && { $unset: { unreadBy: "" } }) },
        );
        if (matchedCount === 0) return false;
        if (isAll) {
          await dequeue(database, { kind: "unread-messages", subject: [taskId, _id] });
          await markNotificationsRead(_id, uid, now);
        }
        return true;
      }),

    // In all conversations of the two.
    blockPerson: ({ params, body: { blocked }, user: { uid } }) =>
      change(params.id, uid, async (conversation) => {
        const { modifiedCount } = await conversations.updateMany(
          betweenThem(uid, otherOf(conversation, uid)),
          blocked ? { $addToSet: { blockedBy: uid } } : { $pull: { blockedBy: uid } },
        );
        return modifiedCount > 0;
      }),
  });
}

function closed(reason: keyof typeof CLOSED_DETAILS): ProblemError {
  return new ProblemError("conversation-closed", { detail: CLOSED_DETAILS[reason] });
}

function betweenThem(one: string, other: string): Filter<ConversationDoc> {
  return {
    $or: [
      { clientId: one, freelancerId: other },
      { clientId: other, freelancerId: one },
    ],
  };
}
