import type { ConversationRole } from "../../../src/contract/index.ts";
import type { ConversationDoc, MessageDoc } from "../../../src/db/documents/conversations.ts";
import type { TaskDoc } from "../../../src/db/documents/tasks.ts";
import { idOf } from "./ids-and-dates.ts";
import { type DemoName, demoAccount } from "./people.ts";

type DemoConversation = {
  /** The task's key. */
  key: string;
  /** The freelancer, whose bid the client has shortlisted or awarded. */
  with: DemoName;
  /** Whether the last message is unread. */
  unread?: true;
  messages: { by: ConversationRole; hoursAgo: number; text: string }[];
};

const demoConversations: DemoConversation[] = [
  {
    key: "ceramics-packaging",
    with: "claire",
    unread: true,
    messages: [
      {
        by: "client",
        hoursAgo: 20,
        text: "Hello Claire, good to have you on board! The printer's template is here: https://studio.example/print/template.pdf",
      },
      {
        by: "freelancer",
        hoursAgo: 18,
        text: "Thank you, I have it. Two questions before I draw anything:\n1. Is the tape 50 or 75 mm wide?\n2. May the ink be a dark green instead of black?",
      },
      {
        by: "client",
        hoursAgo: 3,
        text: "75 mm. And dark green sounds lovely, as long as the QR code can still be read.",
      },
    ],
  },
  {
    key: "review-reply-guide",
    with: "claire",
    messages: [
      { by: "client", hoursAgo: 60, text: "How is the guide coming along?" },
      {
        by: "freelancer",
        hoursAgo: 52,
        text: "31 of the 40 replies are written, and the unfair ones were the most fun. You have all of it on Thursday.",
      },
      { by: "client", hoursAgo: 51, text: "Wonderful, thank you." },
    ],
  },
];

const at = (today: Date, hoursAgo: number) => new Date(today.getTime() - hoursAgo * 3_600_000);
const idFor = ({ key, with: name }: DemoConversation) => idOf(`conversation:${key}:${name}`);

/** @param tasks the stored demo tasks. */
export function conversationDocs(tasks: readonly TaskDoc[], today: Date): ConversationDoc[] {
  return demoConversations.map((demo) => {
    const taskId = idOf(`task:${demo.key}`);
    const task = tasks.find(({ _id }) => _id.equals(taskId)) as TaskDoc;
    const { uid: freelancerId } = demoAccount(demo.with);
    const { ownerId: clientId, title: taskTitle } = task;
    const count = demo.messages.length;
    const [first, last] = [demo.messages[0], demo.messages.at(-1)];
    const reader = last?.by === "client" ? "freelancer" : "client";
    return {
      _id: idFor(demo),
      taskId,
      taskTitle,
      clientId,
      freelancerId,
      memberIds: [clientId, freelancerId],
      count,
      seen: { client: count, freelancer: count, ...(demo.unread && { [reader]: count - 1 }) },
      ...(demo.unread && { unreadBy: reader === "client" ? clientId : freelancerId }),
      blockedBy: [],
      lastAt: at(today, last?.hoursAgo ?? 0),
      createdAt: at(today, first?.hoursAgo ?? 0),
    };
  });
}

export function messageDocs(today: Date): MessageDoc[] {
  return demoConversations.flatMap((demo) =>
    demo.messages.map(({ by, hoursAgo, text }, index) => ({
      _id: idOf(`message:${demo.key}:${demo.with}:${index}`),
      conversationId: idFor(demo),
      number: index + 1,
      by,
      text,
      createdAt: at(today, hoursAgo),
    })),
  );
}
