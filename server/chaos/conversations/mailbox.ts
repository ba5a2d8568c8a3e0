import { type ReceivedMail, startMailServer } from "../../test/mail-server.ts";

/** An email as it arrived: of which notification, to whom, and about which conversation, if it is about one. */
export type Letter = { notificationId: string; to: string; conversationId: string | undefined };

/** Everybody's emails. */
export type Mailbox = {
  smtpUrl: string;
  letters(): Letter[];
  /** How many this address got about a conversation. */
  countOf(to: string, conversationId: string): number;
  close(): Promise<void>;
};

/** Hands out what has arrived; a harness may lose or repeat one here. @param index how many arrived before it. */
export type HandOut = (letter: Letter, index: number) => Letter[];

export async function openMailbox(handOut: HandOut): Promise<Mailbox> {
  const server = await startMailServer();
  const letters = () => server.mails.map(letterOf).flatMap(handOut);
  return {
    smtpUrl: server.url,
    letters,
    countOf: (to, id) =>
      letters().filter((letter) => letter.to === to && letter.conversationId === id).length,
    close: server.close,
  };
}

function letterOf({ to, headers, text }: ReceivedMail): Letter {
  return {
    notificationId: /^<([^@]+)@/.exec(headers.get("message-id") ?? "")?.[1] ?? "",
    to: to.join(),
    conversationId: /\/dash\/messages\/([\da-f]{24})/.exec(text)?.[1],
  };
}
