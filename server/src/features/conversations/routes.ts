import * as z from "zod/mini";
import type { Context } from "../../context.ts";
import { conversationEndpoints } from "../../contract/conversation.ts";
import type { ConversationDoc, MessageDoc } from "../../db/documents/conversations.ts";
import { filesOn } from "../../domain/files.ts";
import { ProblemError } from "../../domain/problem-error.ts";
import type { Api } from "../../http/mount.ts";
import { newestFirst, readPage } from "../../http/pagination.ts";
import { updated } from "../../http/problem.ts";
import { conversationCommands } from "./commands.ts";
import { presentConversation, presentMessage } from "./present-conversation.ts";
import { roleOf } from "./rules.ts";
import { conversationQueries } from "./store.ts";

const LATEST_FIRST = {
  ...newestFirst,
  keyOf: ({ lastAt, _id }: ConversationDoc) => newestFirst.keyOf({ createdAt: lastAt, _id }),
};
const BY_NUMBER = { key: z.tuple([z.int()]), keyOf: ({ number }: MessageDoc) => [number] as const };

/** Conversations between a task's client and its freelancers; nobody else can read them. */
export function conversationRoutes(api: Api, { database }: Context): void {
  const queries = conversationQueries(database);
  const commands = conversationCommands(database);

  async function find(id: string, uid: string): Promise<ConversationDoc> {
    const conversation = await queries.find(id, uid);
    if (!conversation) throw new ProblemError("conversation-not-found");
    return conversation;
  }

  api.mount(conversationEndpoints.openConversation, async ({ params, user, now, response }) => {
    const opened = await commands.open({ task: params.id, bid: params.bidId }, user, now);
    if (!opened.isNew) response.status(200);
    return { acknowledged: true, insertedId: opened.id };
  });

  api.mount(conversationEndpoints.listConversations, async ({ user, now, ...call }) => {
    const { task } = call.query;
    const [page, unread] = await Promise.all([
      readPage(call, {
        list: `conversations ${user.uid} ${task ?? ""}`,
        order: LATEST_FIRST,
        read: (start) => queries.listOf(user.uid, task, start),
      }),
      queries.countUnread(user.uid),
    ]);
    call.response.setHeader("X-Unread-Count", unread);
    const parts = await queries.partsOf(page, user.uid);
    return page.map((conversation) => presentConversation(conversation, parts, user.uid, now));
  });

  api.mount(conversationEndpoints.readConversation, async ({ params, user, now }) => {
    const conversation = await find(params.id, user.uid);
    const parts = await queries.partsOf([conversation], user.uid);
    return presentConversation(conversation, parts, user.uid, now);
  });

  api.mount(conversationEndpoints.listMessages, async ({ params, user, ...call }) => {
    const conversation = await find(params.id, user.uid);
    const page = await readPage(call, {
      list: `messages ${params.id} ${call.query.search ?? ""}`,
      order: BY_NUMBER,
      read: (start) => queries.messagesOf(conversation._id, start, call.query.search),
    });
    const files = await filesOn(database, page);
    return page.map((message) => presentMessage(message, roleOf(conversation, user.uid), files));
  });

  api.mount(conversationEndpoints.sendMessage, async ({ params, body, user, now }) => {
    const message = await commands.send(params.id, user, body, now);
    return presentMessage(message, message.by, await filesOn(database, [message]));
  });

  api.mount(conversationEndpoints.seeMessages, async ({ params, body, user, now }) =>
    updated(await commands.see(params.id, user, body.number, now)),
  );

  api.mount(conversationEndpoints.blockPerson, async ({ params, body, user }) =>
    updated(await commands.block(params.id, user, body.blocked)),
  );
}
