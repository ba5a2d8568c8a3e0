import { ObjectId } from "mongodb";
import type { ConversationEvent } from "../../contract/index.ts";
import { type Database, type PageStart, READ_LIMITS } from "../../db/client.ts";
import type { ConversationDoc, MessageDoc } from "../../db/documents/conversations.ts";
import type { PersonDoc } from "../../db/documents/people.ts";
import type { TaskDoc } from "../../db/documents/tasks.ts";
import { deletedWhileHidden } from "../../domain/hidden-titles.ts";
import { literally } from "../../domain/task-search.ts";
import { otherOf } from "./rules.ts";

/** The related documents that a conversation is presented with. */
export type ConversationParts = {
  tasks: Map<string, ConversationTask>;
  people: Map<string, Pick<PersonDoc, "_id" | "name" | "image">>;
  /** Tasks that were deleted while hidden, whose titles their freelancers must not see. */
  withheld: ReadonlySet<string>;
  /** The last message of each conversation. */
  last: Map<string, MessageDoc>;
};

/** Beyond this number the exact count of unread conversations does not matter. */
const MAX_COUNTED = 100;
const LATEST_FIRST = { lastAt: -1, _id: -1 } as const;
const TASK = {
  title: 1,
  hidden: 1,
  ownerId: 1,
  award: 1,
  state: 1,
  deadline: 1,
  endedAt: 1,
} as const;
export type ConversationTask = Pick<TaskDoc, "_id" | keyof typeof TASK>;

/** Reads conversations for their members. */
export function conversationQueries(database: Database) {
  const { conversations, messages, tasks, people } = database;
  return {
    /** The conversation if this person is a member, otherwise null. */
    find(id: string, uid: string): Promise<ConversationDoc | null> {
      return conversations.findOne({ _id: new ObjectId(id), memberIds: uid }, READ_LIMITS);
    },

    /**
     * A page of a member's conversations, latest message first; only those about the task, if given. Freelancers see one
     * from its first message on.
     */
    listOf(uid: string, task: string | undefined, { after, limit }: PageStart): Promise<ConversationDoc[]> {
      const at = after && new Date(after[0]);
      const further = at && {
        $or: [{ lastAt: at, _id: { $lt: new ObjectId(after[1]) } }, { lastAt: { $lt: at } }],
      };
      const about = task !== undefined && { taskId: new ObjectId(task) };
      const filter = { memberIds: uid, $nor: [{ freelancerId: uid, count: 0 }], ...about, ...further };
      const options = { sort: LATEST_FIRST, limit, ...READ_LIMITS };
      return conversations
        .find(filter, { ...options, hint: about ? "one-per-freelancer" : "member-newest" })
        .toArray();
    },

    /** A page of messages, newest first. A message's place is its number. */
    messagesOf(
      conversationId: ObjectId,
      { after, limit }: PageStart<readonly [number: number]>,
      search?: string,
    ): Promise<MessageDoc[]> {
      const filter = {
        conversationId,
        ...(after && { number: { $lt: after[0] } }),
        ...(search && { text: { $regex: literally(search), $options: "i" } }),
      };
      const options = { sort: { number: -1 }, limit, ...READ_LIMITS } as const;
      return messages.find(filter, { ...options, hint: "conversation" }).toArray();
    },

    /** The number of conversations with messages unread by this person, at most a hundred. */
    countUnread(unreadBy: string): Promise<number> {
      return conversations.countDocuments(
        { unreadBy },
        { limit: MAX_COUNTED, ...READ_LIMITS, hint: "unread" },
      );
    },

    /** The live event of a conversation and the members who see it; null if it does not exist. */
    async live(id: string): Promise<{ memberIds: string[]; event: ConversationEvent } | null> {
      const options = { projection: { memberIds: 1, clientId: 1, count: 1 }, ...READ_LIMITS };
      const found = await conversations.findOne({ _id: new ObjectId(id) }, options);
      if (!found) return null;
      const { memberIds, clientId, count } = found;
      // Freelancers see it from its first message on.
      return { memberIds: count === 0 ? [clientId] : memberIds, event: { conversationId: id, count } };
    },

    /** Reads the related documents for these conversations of a member, with one query per collection. */
    async partsOf(found: readonly ConversationDoc[], uid: string): Promise<ConversationParts> {
      const others = found.map((each) => otherOf(each, uid));
      const written = found.filter(({ count }) => count > 0);
      const lastOnes = written.map(({ _id, count }) => ({ conversationId: _id, number: count }));
      const [taskDocs, peopleDocs, lastDocs] = await Promise.all([
        tasks
          .find<ConversationTask>(
            { _id: { $in: found.map(({ taskId }) => taskId) } },
            { projection: TASK, hint: "_id_", ...READ_LIMITS },
          )
          .toArray(),
        people
          .find({ _id: { $in: others } }, { projection: { name: 1, image: 1 }, hint: "_id_", ...READ_LIMITS })
          .toArray(),
        lastOnes.length === 0 ? [] : messages.find({ $or: lastOnes }, READ_LIMITS).toArray(),
      ]);
      const existing = new Set(taskDocs.map(({ _id }) => _id.toHexString()));
      const deleted = found.flatMap(({ taskId }) => (existing.has(taskId.toHexString()) ? [] : taskId));
      return {
        withheld: new Set((await deletedWhileHidden(database, deleted)).keys()),
        tasks: new Map(taskDocs.map((task) => [task._id.toHexString(), task])),
        people: new Map(peopleDocs.map((person) => [person._id, person])),
        last: new Map(lastDocs.map((message) => [message.conversationId.toHexString(), message])),
      };
    },
  };
}
