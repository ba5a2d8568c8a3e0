import { afterAll, beforeAll, beforeEach } from "vitest";
import { type Judged, startMailServer, type Verdict } from "./mail-server.ts";

/** One for the tests of a file: before each of them it has got nothing and takes all. */
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
    for (const judged of ["sender", "recipient", "email"] as const) server.refuse(() => undefined, judged);
  });
  return {
    get url() {
      return server.url;
    },
    get mails() {
      return server.mails;
    },
    refuse: (verdict: Verdict, judged?: Judged) => server.refuse(verdict, judged),
    /** Closes a mailer after the tests. */
    closing<T extends { close(): void }>(mailer: T): T {
      mailers.push(mailer);
      return mailer;
    },
  };
}
