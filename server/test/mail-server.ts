import type { AddressInfo } from "node:net";
import { SMTPServer, type SMTPServerDataStream } from "smtp-server";

/** A mail as it arrived: its headers, unfolded and by their names in lower case, and its text, decoded. */
export type ReceivedMail = { to: string[]; headers: Map<string, string>; text: string; raw: string };

/** What the server answers to a recipient: nothing takes the mail, a number refuses it with that code. */
type Verdict = (address: string) => number | undefined;

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
      readAll(stream).then((raw) => {
        mails.push(
          parsed(
            raw,
            session.envelope.rcptTo.map(({ address }) => address),
          ),
        );
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

async function readAll(stream: SMTPServerDataStream): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}

function parsed(raw: string, to: string[]): ReceivedMail {
  const [head = "", body = ""] = raw.split(/\r\n\r\n(.*)/s);
  const lines = head.replace(/\r\n[ \t]+/g, " ").split("\r\n");
  const headers = new Map(
    lines.map((line): [string, string] => {
      const [name = "", value = ""] = line.split(/: *(.*)/s);
      return [name.toLowerCase(), decodeWords(value)];
    }),
  );
  const encoding = headers.get("content-transfer-encoding");
  const text = encoding === "base64" ? Buffer.from(body, "base64").toString() : decodeQuoted(body);
  return { to, headers, text: text.replaceAll("\r\n", "\n"), raw };
}

/** RFC 2047. */
function decodeWords(value: string): string {
  return value
    .replace(/\?= =\?/g, "?==?")
    .replace(/=\?UTF-8\?([BQ])\?([^?]*)\?=/gi, (_all, kind: string, text: string) =>
      kind.toUpperCase() === "B"
        ? Buffer.from(text, "base64").toString()
        : decodeQuoted(text.replaceAll("_", " ")),
    );
}

/** RFC 2045, section 6.7. */
function decodeQuoted(text: string): string {
  const bytes = text.replace(/=\r\n/g, "").replace(/=([\dA-F]{2})/gi, (_all, hex: string) => {
    return String.fromCharCode(Number.parseInt(hex, 16));
  });
  return Buffer.from(bytes, "latin1").toString();
}
