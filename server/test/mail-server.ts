import type { AddressInfo } from "node:net";
// By the author of nodemailer and mailparser, typed, and without the latter's eight dependencies.
import PostalMime, { decodeWords } from "postal-mime";
import { SMTPServer, type SMTPServerDataStream } from "smtp-server";

/** An email as it arrived, decoded; headers by their names in lower case. */
export type ReceivedMail = { to: string[]; headers: Map<string, string>; text: string };

/** What the server says to a recipient: nothing takes the email, a number refuses it with that code. */
export type Verdict = (address: string) => number | undefined;

/** A real SMTP server on this machine that keeps what it gets. */
export async function startMailServer(): Promise<{
  url: string;
  mails: ReceivedMail[];
  /** Decides on each recipient; takes all unless told. */
  refuse(verdict: Verdict): void;
  close(): Promise<void>;
}> {
  const mails: ReceivedMail[] = [];
  let verdict: Verdict = () => undefined;
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ["STARTTLS", "AUTH"],
    onRcptTo({ address }, _session, callback) {
      const code = verdict(address);
      if (code === undefined) callback();
      else callback(Object.assign(new Error("not now"), { responseCode: code }));
    },
    onData(stream, session, callback) {
      const to = session.envelope.rcptTo.map(({ address }) => address);
      read(stream, to).then((mail) => {
        mails.push(mail);
        callback();
      }, callback);
    },
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `smtp://127.0.0.1:${(server.server.address() as AddressInfo).port}`,
    mails,
    refuse(next) {
      verdict = next;
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
