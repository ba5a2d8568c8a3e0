import { randomUUID } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { pino } from "pino";
import { createApp } from "../../../src/app.ts";
import { createFirebaseTokenVerifier } from "../../../src/auth/firebase-token-verifier.ts";
import { createAnnouncer } from "../../../src/db/announcements.ts";
import { type ChangeFeed, openChangeFeed } from "../../../src/db/change-feed.ts";
import { type DatabaseAddress, openDatabase } from "../../../src/db/client.ts";
import { createSearchAlerts } from "../../../src/features/saved-searches/search-alerts.ts";
import { periodicJobs } from "../../../src/jobs.ts";
import type { CheckedResponse } from "../../../test/check-response.ts";
import { type Person as Account, signUp, signUpOperator } from "../../../test/people.ts";
import { waitUntil } from "../../lib/wait-until.ts";
import { createSender, type WireRequest } from "../send.ts";
import { BIDS_PER_DAY, type Caller, newLife, PEOPLE, type Person } from "./model.ts";
import type { ApiCall } from "./requests.ts";
import { emailOf, nameOf } from "./views.ts";

type Send = (request: WireRequest) => Promise<CheckedResponse>;
/** Passes requests on to the product; a planted bug may distort them. */
export type Interceptor = (request: WireRequest, send: Send) => Promise<CheckedResponse>;

export type World = Awaited<ReturnType<typeof openWorld>>;

type Options = { database: DatabaseAddress; emulatorHost: string; projectId: string };

/** The product's periodic jobs for tasks. */
const JOBS = [
  "suspension of accounts",
  "notices of declined bids",
  "deadline notices",
  "undecided tasks",
  "delivery reminders",
  "announcements",
];

/** Collections that a sequence writes to. */
const COLLECTIONS_TO_CLEAR = [
  ...(["tasks", "bids", "notifications", "announcements", "timeline", "reviews", "suspensions"] as const),
  ...(["operatorQueue", "operatorLog", "dayCounts", "addressViews"] as const),
] as const;

/** Runs the product on loopback, on its own prepared database, with a clock that is advanced manually. */
export async function openWorld({ database: address, ...firebase }: Options) {
  const database = await openDatabase(address);
  const logger = pino({ level: process.env["FUZZ_LOG"] ?? "silent" });
  const feed = openChangeFeed(address, logger);
  const announcer = createAnnouncer(database, { log: logger });
  const alerts = createSearchAlerts(database, { log: logger, emails: false, now: () => new Date(clock.now) });
  const clock = { now: newLife().now };
  const listeners: Parameters<ChangeFeed["onChange"]>[0][] = [];
  const changes: ChangeFeed = {
    ...feed,
    onChange(listener) {
      listeners.push(listener);
      return feed.onChange(listener);
    },
  };
  let isHeld = false;
  const nudge = () => void (isHeld || announcer.nudge());
  const stopping = new AbortController();
  const app = createApp({
    database,
    changes,
    announcer: { nudge },
    alerts,
    verifier: createFirebaseTokenVerifier(firebase),
    logger,
    now: () => new Date(clock.now),
    deadlineMs: 30_000,
    stopping: stopping.signal,
    settings: { env: "test", corsOrigins: [], firebase, trustProxy: 0, bidsPerDay: BIDS_PER_DAY },
  });
  // Keeps connections open during a sequence, even on a slow machine.
  const server = createServer({ keepAliveTimeout: 0 }, app);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { send, close } = createSender((server.address() as AddressInfo).port);
  await waitUntil(feed.isLive, { timeoutMs: 5_000 });

  const startJobs = () => {
    const deps = { database, alerts, accounts: undefined, mail: undefined, logger, signal: stopping.signal };
    const all = periodicJobs({ ...deps, announcer: { deliver: announcer.deliver, nudge } });
    return JOBS.map((name) => all.find((job) => job.name === name)?.work ?? unknownJob(name));
  };
  let jobs = startJobs();
  let accountsByPerson = {} as Record<Person, Account>;
  let intercept: Interceptor = (request, next) => next(request);

  return {
    database,
    clock,
    account: (person: Person) => accountsByPerson[person],

    /** Gives everybody a new account, because tokens expire after an hour. */
    async renewAccounts(): Promise<void> {
      await database.people.deleteMany({});
      const accounts = await Promise.all(
        PEOPLE.map(async (person) => {
          const profile = { name: nameOf(person), email: `${person}-${randomUUID()}@people.example` };
          return [person, await (person === "olga" ? signUpOperator : signUp)(profile)] as const;
        }),
      );
      accountsByPerson = Object.fromEntries(accounts) as typeof accountsByPerson;
      await Promise.all(PEOPLE.map((who) => this.send(who, { method: "GET", path: "/me" })));
    },

    /** Plants a bug, or removes it. */
    plant(bug: Interceptor = (request, next) => next(request)): void {
      intercept = bug;
    },

    send(who: Caller, { method, path, body, version }: ApiCall): Promise<CheckedResponse> {
      const headers: [string, string][] = [];
      if (who !== "visitor") headers.push(["Authorization", `Bearer ${accountsByPerson[who].token}`]);
      if (body) headers.push(["Content-Type", "application/json"]);
      if (version !== undefined) headers.push(["If-Match", `"${version}"`]);
      return intercept({ method, path, headers, body: body && JSON.stringify(body) }, send);
    },

    /** Replaces ids and email addresses in a text by names. */
    replaceIds(text: string): string {
      return PEOPLE.reduce(
        (all, person) =>
          all
            .replaceAll(accountsByPerson[person].uid, person)
            .replaceAll(accountsByPerson[person].email, emailOf(person)),
        text,
      );
    },

    /** Delivers pending announcements, unless they are held back. */
    async deliverAnnouncements(): Promise<void> {
      if (!isHeld) await announcer.deliver();
    },

    holdAnnouncements(): void {
      isHeld = true;
    },

    /** Runs the periodic jobs at the clock's time. */
    async runJobs(): Promise<void> {
      isHeld = false;
      for (const work of jobs) await work(new Date(clock.now));
      await announcer.deliver();
      // Everything cached has expired by then.
      for (const listener of listeners) listener(undefined);
    },

    /** Returns to the initial state, without anything from the previous sequence. */
    async reset(): Promise<void> {
      isHeld = false;
      intercept = (request, next) => next(request);
      const lift = { suspended: false, text: "It is over." };
      for (const { _id } of await database.suspensions.find({ liftedAt: null }).toArray())
        await this.send("olga", { method: "PATCH", path: `/profiles/${_id}/suspension`, body: lift });
      await announcer.deliver();
      await Promise.all(COLLECTIONS_TO_CLEAR.map((name) => database[name].deleteMany({})));
      clock.now = newLife().now;
      jobs = startJobs();
      for (const listener of listeners) listener(undefined);
    },

    async close(): Promise<void> {
      stopping.abort();
      close();
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
      await Promise.all([announcer.stop(), alerts.stop()]);
      await feed.close();
      await database.close();
    },
  };
}

function unknownJob(name: string): never {
  throw new Error(`the product has no job "${name}"`);
}
