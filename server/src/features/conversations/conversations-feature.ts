import * as z from "zod/mini";
import { conversationEndpoints } from "../../contract/endpoints/conversations.ts";
import type { Database } from "../../db/client.ts";
import type { ConversationDoc } from "../../db/documents/conversations.ts";
import type { Api } from "../../http/mount.ts";
import {
  cutPage,
  newestFirstKey,
  pageLimit,
  readCursor,
  setPageHeaders,
  writeCursor,
} from "../../http/pagination.ts";
import { ProblemError, updateResponse } from "../../http/problem.ts";
import { conversationCommands, type Refusal } from "./conversation-commands.ts";
import { roleOf } from "./conversation-policy.ts";
import type { ConversationQueries } from "./conversation-queries.ts";
import { presentConversation, presentMessage } from "./present-conversation.ts";

const messagePlace = z.tuple([z.int()]);

/** Conversations between a task's client and its freelancers; nobody else can read them. */
export function conversationsFeature(
  api: Api,
  { database, queries }: { database: Database; queries: ConversationQueries },
): void {
  const commands = conversationCommands(database);

  async function find(id: string, uid: string): Promise<ConversationDoc> {
    const conversation = await queries.find(id, uid);
    if (!conversation) throw new ProblemError("conversation-not-found");
    return conversation;
  }

  api.mount(conversationEndpoints.openConversation, async ({ params, user, now, response }) => {
    const opened = await commands.open({ task: params.id, bid: params.bidId }, user, now);
    if ("refused" in opened) throw refusal(opened);
    if (!opened.isNew) response.status(200);
    return { acknowledged: true, insertedId: opened.id };
  });

  api.mount(conversationEndpoints.listConversations, async ({ query, user, now, request, response }) => {
    const { task } = query;
    const list = `conversations ${user.uid} ${task ?? ""}`;
    const limit = pageLimit(query);
    const after = readCursor(list, query.cursor, newestFirstKey);
    const [found, unread] = await Promise.all([
      queries.listOf(user.uid, { task, after, limit: limit + 1 }),
      queries.countUnread(user.uid),
    ]);
    const { page, last } = cutPage(found, limit);
    const next = last && writeCursor(list, [last.lastAt.toISOString(), last._id.toHexString()]);
    setPageHeaders(request, response, next, { "X-Unread-Count": unread });
    const parts = await queries.partsOf(page, user.uid);
    return page.map((conversation) => presentConversation(conversation, parts, user.uid, now));
  });

  api.mount(conversationEndpoints.readConversation, async ({ params, user, now }) => {
    const conversation = await find(params.id, user.uid);
    const parts = await queries.partsOf([conversation], user.uid);
    return presentConversation(conversation, parts, user.uid, now);
  });

  api.mount(conversationEndpoints.listMessages, async ({ params, query, user, request, response }) => {
    const conversation = await find(params.id, user.uid);
    const list = `messages ${params.id}`;
    const limit = pageLimit(query);
    const before = readCursor(list, query.cursor, messagePlace)?.[0];
    const found = await queries.messagesOf(conversation._id, { before, limit: limit + 1 });
    const { page, last } = cutPage(found, limit);
    setPageHeaders(request, response, last && writeCursor(list, [last.number]), {});
    return page.map((message) => presentMessage(message, roleOf(conversation, user.uid)));
  });

  api.mount(conversationEndpoints.sendMessage, async ({ params, body, user, now }) => {
    const sent = await commands.send(params.id, user, body, now);
    if ("refused" in sent) throw refusal(sent);
    return presentMessage(sent.message, sent.message.by);
  });

  api.mount(conversationEndpoints.seeMessages, async ({ params, body, user, now }) =>
    updateResponse(await commands.see(params.id, user, body.number, now)),
  );

  api.mount(conversationEndpoints.blockPerson, async ({ params, body, user }) =>
    updateResponse(await commands.block(params.id, user, body.blocked)),
  );
}

function refusal({ refused, detail }: Refusal): ProblemError {
  return new ProblemError(refused, { ...(detail !== undefined && { detail }) });
}
