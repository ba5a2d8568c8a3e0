import type { AddressInfo } from "node:net";
// By the author of nodemailer and mailparser, typed, and without the latter's eight dependencies.
import PostalMime, { decodeWords } from "postal-mime";
import { SMTPServer, type SMTPServerDataStream } from "smtp-server";

/** An email as it arrived, decoded; headers by their names in lower case. */
export type ReceivedMail = { to: string[]; headers: Map<string, string>; text: string };

/** What the server says to an address: nothing takes the email, a number refuses it with that code. */
export type Verdict = (address: string) => number | undefined;
/** What it decides on: a sender, a recipient, or, by its first recipient, a whole email. */
export type Judged = "sender" | "recipient" | "email";

/** A real SMTP server on this machine that keeps what it gets. */
export async function startMailServer(): Promise<{
  url: string;
  mails: ReceivedMail[];
  /** Takes all unless told. Like others it quotes the address that it refuses. */
  refuse(verdict: Verdict, judged?: Judged): void;
  close(): Promise<void>;
}> {
  const mails: ReceivedMail[] = [];
  const verdicts: { [J in Judged]?: Verdict } = {};
  const judge = (judged: Judged, address: string, callback: (error?: Error) => void) => {
    const responseCode = verdicts[judged]?.(address);
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
    refuse(verdict, judged = "recipient") {
      verdicts[judged] = verdict;
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
