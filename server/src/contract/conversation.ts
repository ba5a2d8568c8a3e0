import * as z from "zod/mini";
import { endpoints, INSERTED, list, ok } from "./endpoint.ts";
import {
  linkedPersonSchema,
  optionalParagraph,
  pageQuerySchema,
  parameter,
  searchText,
  taskParameter,
  trueOrFalse,
  wholeNumber,
} from "./fields.ts";
import { fileIds, fileListSchema } from "./file.ts";
import { insertResponseSchema } from "./responses.ts";
import { TASK_STATES } from "./task-state.ts";

/** Characters of a message and of a search in messages, and days after the end of its task for which a conversation still takes messages. */
export const MESSAGE_LIMITS = { text: 4_000, search: 100, daysAfterEnd: 30 } as const;

/** A person's role in a conversation: the task's client, or the freelancer who bid on it. */
export const CONVERSATION_ROLES = ["client", "freelancer"] as const;
export type ConversationRole = (typeof CONVERSATION_ROLES)[number];

/**
 * Why a conversation takes no messages: the other side deleted their account, its task was deleted or ended too long
 * ago, or one of the two blocked the other.
 */
export const CLOSED_REASONS = ["left", "deleted", "ended", "you-blocked", "blocked-you"] as const;
export type ClosedReason = (typeof CLOSED_REASONS)[number];

/** A message without text needs files. */
// @__NO_SIDE_EFFECTS__
function withContent() {
  const isRequired = "Message is required.";
  return z
    .object({
      text: z._default(optionalParagraph("Message", MESSAGE_LIMITS.text), ""),
      files: fileIds(),
    })
    .check(
      z.refine(({ text, files }) => text !== "" || files?.length, { path: ["text"], error: isRequired }),
    );
}

/** `POST /me/conversations/:id/messages`. */
export const messageDraftSchema = withContent();
export type MessageDraft = z.infer<typeof messageDraftSchema>;

/** One message, numbered from 1 without gaps. Without `text` if its author deleted their account; empty beside files. */
export const messageSchema = z.object({
  _id: z.string(),
  number: z.number(),
  /** Did the caller write it? */
  mine: z.boolean(),
  text: z.optional(z.string()),
  files: z.optional(fileListSchema),
  createdAt: z.string(),
});
export type Message = z.infer<typeof messageSchema>;

/** A conversation as one of its two sides sees it. */
export const conversationSchema = z.object({
  _id: z.string(),
  /** Without a state once it is deleted, or while the caller cannot see it. */
  task: z.object({ _id: z.string(), title: z.string(), state: z.optional(z.enum(TASK_STATES)) }),
  /** The caller's. */
  role: z.enum(CONVERSATION_ROLES),
  /** The other side; without an id once they deleted their account. */
  other: linkedPersonSchema,
  count: z.number(),
  /** Messages that the caller has not seen. */
  unread: z.number(),
  /** Number of the last message that the other side has seen. */
  seenByOther: z.number(),
  last: z.optional(messageSchema),
  closed: z.optional(z.enum(CLOSED_REASONS)),
  /** ISO instant at which it stops taking messages, if its task has ended. */
  closesAt: z.optional(z.string()),
  createdAt: z.string(),
});
export type Conversation = z.infer<typeof conversationSchema>;

/** The query of `GET /me/conversations`: all of them, or those about one task. */
export const conversationsQuerySchema = z.extend(pageQuerySchema, {
  task: taskParameter(),
});

/** `POST /me/conversations/:id/seen`: marks the messages up to this number as seen. */
export const seenSchema = z.object({
  number: wholeNumber(1_000_000_000, "Name the last message that was seen by its number."),
});
export type Seen = z.infer<typeof seenSchema>;

/** `PATCH /me/conversations/:id/block`: blocks or unblocks the other side, in every conversation of the two. */
export const blockSchema = z.object({ blocked: trueOrFalse() });
export type Block = z.infer<typeof blockSchema>;

/** `event: conversation` of `GET /me/events`: one of the person's conversations has changed. */
export const conversationEventSchema = z.object({ conversationId: z.string(), count: z.number() });
export type ConversationEvent = z.infer<typeof conversationEventSchema>;

/** The query of `GET /me/conversations/:id/messages`; `search`: a text in them. */
export const messagesQuerySchema = z.extend(pageQuerySchema, {
  search: parameter(searchText(MESSAGE_LIMITS.search)),
});

export const conversationEndpoints = /* @__PURE__ */ endpoints("Conversations", {
  openConversation: {
    method: "POST",
    path: "/tasks/:id/bids/:bidId/conversation",
    summary: "Open the conversation with a bid's freelancer",
    description:
      "There is one per task and freelancer. It can be opened once the bid is shortlisted or awarded.",
    access: "owner",
    responses: [INSERTED, { status: 200, schema: insertResponseSchema, when: "It was opened before" }],
    errors: ["bid-not-found", "bid-not-shortlisted", "conversation-closed"],
  },
  listConversations: {
    method: "GET",
    path: "/me/conversations",
    summary: "The caller's conversations, most recent message first",
    description: "`task` returns only those about that task.",
    access: "signed-in",
    query: conversationsQuerySchema,
    responses: [list(conversationSchema, "Link", "X-Unread-Count")],
  },
  readConversation: {
    method: "GET",
    path: "/me/conversations/:id",
    summary: "Read one conversation",
    access: "member",
    responses: [ok(conversationSchema)],
  },
  listMessages: {
    method: "GET",
    path: "/me/conversations/:id/messages",
    summary: "Messages of a conversation, newest first; with `search`, those that contain a text",
    access: "member",
    query: messagesQuerySchema,
    responses: [list(messageSchema, "Link")],
  },
  sendMessage: {
    method: "POST",
    path: "/me/conversations/:id/messages",
    summary: "Write a message",
    access: "member",
    body: messageDraftSchema,
    responses: [{ status: 201, schema: messageSchema }],
    errors: ["conversation-closed"],
  },
  seeMessages: {
    method: "POST",
    path: "/me/conversations/:id/seen",
    summary: "Mark messages as seen",
    access: "member",
    body: seenSchema,
  },
  blockPerson: {
    method: "PATCH",
    path: "/me/conversations/:id/block",
    summary: "Block or unblock the other side",
    description: "While blocked, neither can write to the other in any of their conversations.",
    access: "member",
    body: blockSchema,
  },
});
