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

/** The mail server cannot be reached, rejects our login, or accepts no email from our sender. */
export class MailerDown extends Error {
  override name = "MailerDown";
}

// In total far less than a claim lasts.
const TIMEOUTS = {
  connectionTimeout: 10_000,
  greetingTimeout: 10_000,
  dnsTimeout: 10_000,
  socketTimeout: 20_000,
};

/**
 * Sends through an SMTP server, over one connection that is kept open.
 * @param settings.smtpUrl `smtps://user:password@host:465`, or `smtp://…:587`, which is encrypted by STARTTLS; a
 *   password is never sent unencrypted.
 * @param settings.from the sender of every email.
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
/** Codes of failures that concern a single email. */
const MAIL_ERRORS = new Set<unknown>(["EENVELOPE", "EMESSAGE"]);
/** The server is closing the connection, whatever the command. */
const CLOSING = 421;
const PERMANENT = 500;

/** The codes of a nodemailer error. Its message is not used: it has the server's text, which quotes email addresses. */
type SmtpFailure = {
  name: string;
  code?: string;
  /** The system's code, if `code` is nodemailer's own. */
  originalCode?: string;
  command?: string;
  responseCode?: number;
};

function mailError(error: unknown): Error {
  const { name, code, originalCode, command, responseCode } = error as SmtpFailure;
  const codes = [code ?? name, originalCode, command, responseCode].filter(Boolean).join(", ");
  const isSenderRejected = code === "EENVELOPE" && command === "MAIL FROM";
  if (!MAIL_ERRORS.has(code) || isSenderRejected || responseCode === CLOSING)
    return new MailerDown(`the mail server accepts no emails (${codes})`);
  if (responseCode === undefined || responseCode >= PERMANENT)
    return new MailRefused(`the mail server rejected an email (${codes})`);
  return new Error(`the mail server does not accept an email now (${codes})`);
}
