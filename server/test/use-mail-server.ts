import { afterAll, beforeAll, beforeEach } from "vitest";
import type { PersonDoc } from "../src/db/documents/people.ts";
import { mailStore } from "../src/features/notifications/mail-store.ts";
import { mailSender } from "../src/features/notifications/send-mails.ts";
import { smtpMailer } from "../src/features/notifications/smtp-mailer.ts";
import { aPersonDoc } from "./builders.ts";
import type { Harness } from "./harness.ts";
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

/**
 * Starts a mail server for the tests of a file; before each test it is empty and accepts everything, and nobody is known
 * or notified.
 */
export function useMailServer(harness: Harness) {
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
  beforeEach(async () => {
    await harness.clear("people", "notifications");
    spent.ms = 0;
    server.mails.length = 0;
    for (const part of ["sender", "recipient", "email"] as const) server.refuse(() => undefined, part);
  });
  const clock = () => spent.ms;
  /** A mailer of this server, or of another one. It is closed after the tests. */
  function mailer(smtpUrl = server.url) {
    const made = smtpMailer({ smtpUrl, from: "Tasklane <post@tasklane.example>" });
    mailers.push(made);
    return made;
  }
  return {
    mailer,
    /** The sender of another instance. */
    sender: (deps: Partial<Parameters<typeof mailSender>[0]> = {}) =>
      mailSender({
        ...{ store: mailStore(harness.database), mailer: mailer(), links: LINKS, clock },
        log: { warn: () => undefined },
        ...deps,
      }),
    /** Stores somebody who wants emails. */
    person: async (_id: string, fields: Partial<PersonDoc> = {}) => {
      const wishes = { emailNotices: true, emailVerified: true, unsubscribeKey: `key-of-${_id}` };
      const known = { name: "Ada Client", memberSince: createdAt };
      await harness.database.people.insertOne(aPersonDoc({ _id, ...known, ...wishes, ...fields }));
    },
    get mails() {
      return server.mails;
    },
    subjects: () => server.mails.map(({ headers }) => headers.get("subject")),
    refuse: (verdict: Verdict, part?: MailPart) => server.refuse(verdict, part),
    /** When the tests began, and so many minutes after that. */
    createdAt,
    later: (minutes: number) => new Date(createdAt.getTime() + minutes * MINUTE_MS),
    /** As if the current round took this long. */
    spend(minutes: number) {
      spent.ms += minutes * MINUTE_MS;
      return spent.ms / MINUTE_MS;
    },
  };
}
