import { ObjectId } from "mongodb";
import * as z from "zod/mini";
import type { Context } from "../../context.ts";
import { conversationEndpoints } from "../../contract/conversation.ts";
import type { ConversationDoc, MessageDoc } from "../../db/documents/conversations.ts";
import { filesOn } from "../../domain/files.ts";
import { ProblemError } from "../../domain/problem-error.ts";
import { literally } from "../../domain/text-search.ts";
import type { Api } from "../../http/mount.ts";
import { newestFirst, readPage } from "../../http/pagination.ts";
import { presentMessage, roleOf } from "./rules.ts";
import { countUnreadConversations, presentConversations } from "./store.ts";
import { conversationWriteRoutes } from "./write-conversations.ts";

const LATEST_FIRST = {
  ...newestFirst,
  keyOf: ({ lastAt, _id }: ConversationDoc) => newestFirst.keyOf({ createdAt: lastAt, _id }),
};
const BY_NUMBER = { key: z.tuple([z.int()]), keyOf: ({ number }: MessageDoc) => [number] as const };

/** Conversations between a task's client and its freelancers; nobody else can read them. */
export function conversationRoutes(api: Api, context: Context): void {
  const { database } = context;
  const { conversations, messages } = database;

  async function find(_id: ObjectId, memberIds: string): Promise<ConversationDoc> {
    const found = await conversations.findOne({ _id, memberIds });
    if (!found) throw new ProblemError("conversation-not-found");
    return found;
  }

  api.mount(conversationEndpoints, {
    listConversations: async ({ user: { uid }, now, ...call }) => {
      const { task } = call.query;
      const about = task !== undefined && { taskId: new ObjectId(task) };
      const [page, unread] = await Promise.all([
        readPage(call, {
          list: `conversations ${uid} ${task ?? ""}`,
          order: LATEST_FIRST,
          read: ({ after, limit }) => {
            const at = after && new Date(after[0]);
            const further = at && {
              $or: [{ lastAt: at, _id: { $lt: new ObjectId(after[1]) } }, { lastAt: { $lt: at } }],
            };
            // Freelancers see one from its first message on.
            const seen = { memberIds: uid, $nor: [{ freelancerId: uid, count: 0 }] };
            return conversations
              .find({ ...seen, ...about, ...further }, { sort: { lastAt: -1, _id: -1 }, limit })
              .toArray();
          },
        }),
        countUnreadConversations(database, uid),
      ]);
      call.response.setHeader("X-Unread-Count", unread);
      return presentConversations(database, page, uid, now);
    },

    readConversation: async ({ params, user: { uid }, now }) => {
      const [conversation] = await presentConversations(database, [await find(params.id, uid)], uid, now);
      return conversation as NonNullable<typeof conversation>;
    },

    listMessages: async ({ params, user, ...call }) => {
      const conversation = await find(params.id, user.uid);
      const { search } = call.query;
      const page = await readPage(call, {
        list: `messages ${params.id} ${search ?? ""}`,
        order: BY_NUMBER,
        read: ({ after, limit }) => {
          const filter = {
            conversationId: conversation._id,
            ...(after && { number: { $lt: after[0] } }),
            ...(search && { text: { $regex: literally(search), $options: "i" } }),
          };
          return messages.find(filter, { sort: { number: -1 }, limit }).toArray();
        },
      });
      const files = await filesOn(database, page);
      return page.map((message) => presentMessage(message, roleOf(conversation, user.uid), files));
    },
  });

  conversationWriteRoutes(api, context);
}
