import { afterAll, beforeAll, beforeEach } from "vitest";
import { type MailPart, startMailServer, type Verdict } from "./mail-server.ts";

/** Starts a mail server for the tests of a file; before each test it is empty and accepts everything. */
export function useMailServer() {
  let server: Awaited<ReturnType<typeof startMailServer>>;
  const mailers: { close(): void }[] = [];
  beforeAll(async () => {
    server = await startMailServer();
  });
  afterAll(async () => {
    for (const mailer of mailers) mailer.close();
    await server.close();
  });
  beforeEach(() => {
    server.mails.length = 0;
    for (const part of ["sender", "recipient", "email"] as const) server.refuse(() => undefined, part);
  });
  return {
    get url() {
      return server.url;
    },
    get mails() {
      return server.mails;
    },
    refuse: (verdict: Verdict, part?: MailPart) => server.refuse(verdict, part),
    /** Closes the mailer after the tests, and returns it. */
    closing<T extends { close(): void }>(mailer: T): T {
      mailers.push(mailer);
      return mailer;
    },
  };
}
