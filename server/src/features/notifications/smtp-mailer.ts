import { createTransport } from "nodemailer";

/** An email; `id` stays the same for every attempt. */
export type Mail = {
  id: string;
  to: { name: string; address: string };
  subject: string;
  text: string;
  headers: Record<string, string>;
};

export type Mailer = {
  /**
   * @throws {MailRefused} if this email will never be accepted.
   * @throws {MailerDown} if none is accepted now.
   * @throws anything else if this one was not accepted now.
   */
  send(mail: Mail): Promise<void>;
  close(): void;
};

/** The mail server will never accept this email: there is no such mailbox. */
export class MailRefused extends Error {
  override name = "MailRefused";
}

/** The mail server cannot be reached, does not let us in, or takes no email of our sender's. */
export class MailerDown extends Error {
  override name = "MailerDown";
}

// Together far less than a claim lasts.
const TIMEOUTS = {
  connectionTimeout: 10_000,
  greetingTimeout: 10_000,
  dnsTimeout: 10_000,
  socketTimeout: 20_000,
};

/**
 * Sends through an SMTP server, over one connection that is kept open.
 * @param settings.smtpUrl `smtps://user:password@host:465`, or `smtp://…:587`, which is encrypted by STARTTLS; a password
 *   never goes over the network without.
 * @param settings.from stands in every email.
 */
export function smtpMailer({ smtpUrl, from }: { smtpUrl: string; from: string }): Mailer {
  const { protocol, username, hostname } = new URL(smtpUrl);
  const transport = createTransport({
    url: smtpUrl,
    pool: true,
    maxConnections: 1,
    ...TIMEOUTS,
    ...(protocol === "smtp:" && username !== "" && !LOOPBACK.test(hostname) && { requireTLS: true }),
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  const domain = /@([^\s@<>]+)>?$/.exec(from)?.[1] ?? "tasklane.invalid";
  return {
    async send({ id, ...mail }) {
      await transport.sendMail({ ...mail, from, messageId: `<${id}@${domain}>` }).catch((error: unknown) => {
        throw mailError(error);
      });
    },
    close: () => void transport.close(),
  };
}

const LOOPBACK = /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;
const OF_THIS_MAIL = new Set<unknown>(["EENVELOPE", "EMESSAGE"]);
/** The server closes the connection, whatever it was asked. */
const CLOSING = 421;
const PERMANENT = 500;

/** What nodemailer says of a failure, in codes. Its message has the server's words, which quote people's addresses. */
type SmtpFailure = {
  name: string;
  code?: string;
  /** The system's code, where `code` is nodemailer's. */
  originalCode?: string;
  /** The command that failed. */
  command?: string;
  /** The server's. */
  responseCode?: number;
};

function mailError(error: unknown): Error {
  const { name, code, originalCode, command, responseCode } = error as SmtpFailure;
  const why = [code ?? name, originalCode, command, responseCode].filter(Boolean).join(", ");
  const isOfSender = code === "EENVELOPE" && command === "MAIL FROM";
  if (!OF_THIS_MAIL.has(code) || isOfSender || responseCode === CLOSING)
    return new MailerDown(`the mail server does not take emails (${why})`);
  if (responseCode === undefined || responseCode >= PERMANENT)
    return new MailRefused(`the mail server refused an email (${why})`);
  return new Error(`the mail server does not take an email now (${why})`);
}
