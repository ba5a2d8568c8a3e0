import { endpoints } from "../endpoint.ts";
import {
  blockSchema,
  conversationListSchema,
  conversationSchema,
  insertResponseSchema,
  messageDraftSchema,
  messageListSchema,
  messageSchema,
  pageQuerySchema,
  seenSchema,
  updateResponseSchema,
} from "../index.ts";

const updated = [{ status: 200, schema: updateResponseSchema }] as const;

export const conversationEndpoints = endpoints("Conversations", {
  openConversation: {
    method: "POST",
    path: "/tasks/:id/bids/:bidId/conversation",
    summary: "Open the conversation with a bid's freelancer",
    description:
      "There is one for each task and freelancer. It begins with a bid that is shortlisted or awarded.",
    access: "owner",
    responses: [
      { status: 201, schema: insertResponseSchema },
      { status: 200, schema: insertResponseSchema, when: "It was opened before" },
    ],
    errors: ["task-not-found", "bid-not-found", "bid-not-shortlisted", "conversation-closed"],
  },
  listConversations: {
    method: "GET",
    path: "/me/conversations",
    summary: "The caller's conversations, the latest message first",
    access: "signed-in",
    query: pageQuerySchema,
    responses: [{ status: 200, schema: conversationListSchema, headers: ["Link", "X-Unread-Count"] }],
    errors: ["invalid-cursor"],
  },
  readConversation: {
    method: "GET",
    path: "/me/conversations/:id",
    summary: "Read one conversation",
    access: "member",
    responses: [{ status: 200, schema: conversationSchema }],
  },
  listMessages: {
    method: "GET",
    path: "/me/conversations/:id/messages",
    summary: "Messages of a conversation, newest first",
    access: "member",
    query: pageQuerySchema,
    responses: [{ status: 200, schema: messageListSchema, headers: ["Link"] }],
    errors: ["invalid-cursor"],
  },
  sendMessage: {
    method: "POST",
    path: "/me/conversations/:id/messages",
    summary: "Write a message",
    access: "member",
    body: { schema: messageDraftSchema },
    responses: [{ status: 201, schema: messageSchema }],
    errors: ["conversation-closed"],
  },
  seeMessages: {
    method: "POST",
    path: "/me/conversations/:id/seen",
    summary: "Mark messages as seen",
    access: "member",
    body: { schema: seenSchema },
    responses: updated,
  },
  blockPerson: {
    method: "PATCH",
    path: "/me/conversations/:id/block",
    summary: "Block the other side, or take that back",
    description: "Neither can write to the other then, in any of their conversations.",
    access: "member",
    body: { schema: blockSchema },
    responses: updated,
  },
});
