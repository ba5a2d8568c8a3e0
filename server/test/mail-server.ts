import type { AddressInfo } from "node:net";
// Instead of mailparser, by the same author: typed, and without its eight dependencies.
import PostalMime, { decodeWords } from "postal-mime";
import { SMTPServer, type SMTPServerDataStream } from "smtp-server";

/** A received email, decoded; headers by lower-case name. */
export type ReceivedMail = { to: string[]; headers: Map<string, string>; text: string };

/** The reply code that an address is rejected with; undefined accepts it. */
export type Verdict = (address: string) => number | undefined;
/** What is accepted or rejected: the sender, a recipient, or the whole email (by its first recipient). */
export type MailPart = "sender" | "recipient" | "email";

/** A real SMTP server on this machine that keeps the emails it receives. */
export async function startMailServer(): Promise<{
  url: string;
  mails: ReceivedMail[];
  /** Rejects what the verdict says, recipients by default. Like real servers, the reply quotes the rejected address. */
  refuse(verdict: Verdict, part?: MailPart): void;
  close(): Promise<void>;
}> {
  const mails: ReceivedMail[] = [];
  const verdicts: { [J in MailPart]?: Verdict } = {};
  const judge = (part: MailPart, address: string, callback: (error?: Error) => void) => {
    const responseCode = verdicts[part]?.(address);
    if (responseCode === undefined) callback();
    else callback(Object.assign(new Error(`<${address}>: not now`), { responseCode }));
  };
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ["STARTTLS", "AUTH"],
    onMailFrom: ({ address }, _session, callback) => judge("sender", address, callback),
    onRcptTo: ({ address }, _session, callback) => judge("recipient", address, callback),
    onData(stream, session, callback) {
      const to = session.envelope.rcptTo.map(({ address }) => address);
      read(stream, to).then((mail) => {
        judge("email", to[0] ?? "", (error) => {
          if (!error) mails.push(mail);
          callback(error);
        });
      }, callback);
    },
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `smtp://127.0.0.1:${(server.server.address() as AddressInfo).port}`,
    mails,
    refuse(verdict, part = "recipient") {
      verdicts[part] = verdict;
    },
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

async function read(stream: SMTPServerDataStream, to: string[]): Promise<ReceivedMail> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk as Buffer);
  const { headers, text = "" } = await PostalMime.parse(Buffer.concat(chunks));
  return { to, headers: new Map(headers.map(({ key, value }) => [key, decodeWords(value)])), text };
}
