import { afterAll, beforeAll, beforeEach } from "vitest";
import { smtpMailer } from "../src/features/notifications/smtp-mailer.ts";
import { type MailPart, startMailServer, type Verdict } from "./mail-server.ts";

const MINUTE_MS = 60_000;

/** The links in emails. */
export const LINKS = {
  webUrl: "https://tasklane.example",
  unsubscribeUrl: (person: string, key: string) =>
    `https://api.example/me/unsubscribe?person=${person}&key=${key}`,
  searchUnsubscribeUrl: (person: string, key: string, search = "all") =>
    `https://api.example/me/searches/unsubscribe?${new URLSearchParams({ person, key, search })}`,
};

/** Starts a mail server for the tests of a file; before each test it is empty and accepts everything. */
export function useMailServer() {
  let server: Awaited<ReturnType<typeof startMailServer>>;
  const mailers: { close(): void }[] = [];
  /** How long rounds have taken, in ms; advanced only by tests. */
  const spent = { ms: 0 };
  const createdAt = new Date();
  beforeAll(async () => {
    server = await startMailServer();
  });
  afterAll(async () => {
    for (const mailer of mailers) mailer.close();
    await server.close();
  });
  beforeEach(() => {
    spent.ms = 0;
    server.mails.length = 0;
    for (const part of ["sender", "recipient", "email"] as const) server.refuse(() => undefined, part);
  });
  return {
    get mails() {
      return server.mails;
    },
    subjects: () => server.mails.map(({ headers }) => headers.get("subject")),
    refuse: (verdict: Verdict, part?: MailPart) => server.refuse(verdict, part),
    /** A mailer of this server, or of another one. It is closed after the tests. */
    mailer(smtpUrl = server.url) {
      const mailer = smtpMailer({ smtpUrl, from: "Tasklane <post@tasklane.example>" });
      mailers.push(mailer);
      return mailer;
    },
    /** When the tests began, and so many minutes after that. */
    createdAt,
    later: (minutes: number) => new Date(createdAt.getTime() + minutes * MINUTE_MS),
    clock: () => spent.ms,
    /** As if the current round took this long. */
    spend(minutes: number) {
      spent.ms += minutes * MINUTE_MS;
      return spent.ms / MINUTE_MS;
    },
  };
}
