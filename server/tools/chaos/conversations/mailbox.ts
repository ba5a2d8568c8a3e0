import { type ReceivedMail, startMailServer } from "../../../test/mail-server.ts";

/** A received email: which notification and, if any, which conversation it is about. */
export type Email = { notificationId: string; to: string; conversationId: string | undefined };

/** The mail server that receives everybody's emails. */
export type Mailbox = {
  smtpUrl: string;
  emails(): Email[];
  /** How many emails about a conversation this address received. */
  countOf(to: string, conversationId: string): number;
  close(): Promise<void>;
};

/** Passes a received email on; a planted bug may lose or repeat it. @param index how many arrived before it. */
export type DeliverMail = (email: Email, index: number) => Email[];

export async function openMailbox(deliverMail: DeliverMail): Promise<Mailbox> {
  const server = await startMailServer();
  const emails = () => server.mails.map(emailOf).flatMap(deliverMail);
  return {
    smtpUrl: server.url,
    emails,
    countOf: (to, id) => emails().filter((email) => email.to === to && email.conversationId === id).length,
    close: server.close,
  };
}

function emailOf({ to, headers, text }: ReceivedMail): Email {
  return {
    // An email about several new tasks is named after the first one.
    notificationId: /^<(?:searches-)?([^@]+)@/.exec(headers.get("message-id") ?? "")?.[1] ?? "",
    to: to.join(),
    conversationId: /\/dash\/messages\/([\da-f]{24})/.exec(text)?.[1],
  };
}
