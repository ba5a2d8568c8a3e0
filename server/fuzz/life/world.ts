import { randomUUID } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { pino } from "pino";
import { waitUntil } from "../../dev/lib/wait-until.ts";
import { createApp } from "../../src/app.ts";
import { createFirebaseTokenVerifier } from "../../src/auth/firebase-token-verifier.ts";
import { createAnnouncer } from "../../src/db/announcements.ts";
import { type ChangeFeed, openChangeFeed } from "../../src/db/change-feed.ts";
import { type DatabaseAddress, openDatabase } from "../../src/db/client.ts";
import { createSearchAlerts } from "../../src/features/saved-searches/search-alerts.ts";
import { periodicJobs } from "../../src/jobs.ts";
import type { CheckedResponse } from "../../test/check-response.ts";
import { type Person as Account, signUp, signUpOperator } from "../../test/people.ts";
import { sender, type WireRequest } from "../send.ts";
import { BIDS_PER_DAY, beginning, type Caller, PEOPLE, type Person } from "./model.ts";
import type { ApiCall } from "./requests.ts";
import { emailOf, nameOf } from "./views.ts";

type Send = (request: WireRequest) => Promise<CheckedResponse>;
/** What stands between people and the product: nothing, or a planted bug. */
export type Between = (request: WireRequest, send: Send) => Promise<CheckedResponse>;

export type World = Awaited<ReturnType<typeof openWorld>>;

type Options = { database: DatabaseAddress; emulatorHost: string; projectId: string };

/** What the product does by itself for tasks. */
const JOBS = [
  "suspension of accounts",
  "deadline notices",
  "undecided tasks",
  "delivery reminders",
  "announcements",
];

/** All that a sequence leaves. */
const LEFT = [
  ...(["tasks", "bids", "notifications", "announcements", "timeline", "reviews", "suspensions"] as const),
  ...(["operatorQueue", "operatorLog", "bidDays", "addressViews"] as const),
] as const;

/** The product on loopback, on a prepared database that it has to itself, with a clock that is moved by hand. */
export async function openWorld({ database: address, ...firebase }: Options) {
  const database = await openDatabase(address);
  const logger = pino({ level: process.env["FUZZ_LOG"] ?? "silent" });
  const feed = openChangeFeed(address, logger);
  const announcer = createAnnouncer(database, { log: logger });
  const alerts = createSearchAlerts(database, { log: logger, emails: false, now: () => new Date(clock.now) });
  const clock = { now: beginning().now };
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
  // No connection ends in the middle of a sequence, however slow the machine is.
  const server = createServer({ keepAliveTimeout: 0 }, app);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { send, close } = sender((server.address() as AddressInfo).port);
  await waitUntil(feed.isLive, { timeoutMs: 5_000 });

  const startJobs = () => {
    const deps = { database, alerts, accounts: undefined, mail: undefined, logger, signal: stopping.signal };
    const all = periodicJobs({ ...deps, announcer: { deliver: announcer.deliver, nudge } });
    return JOBS.map((name) => all.find((job) => job.name === name)?.work ?? unknownJob(name));
  };
  let jobs = startJobs();
  let cast = {} as Record<Person, Account>;
  let between: Between = (request, next) => next(request);

  return {
    database,
    clock,
    account: (person: Person) => cast[person],

    /** Everybody gets a new account: tokens live for an hour. */
    async recast(): Promise<void> {
      await database.people.deleteMany({});
      const accounts = await Promise.all(
        PEOPLE.map(async (person) => {
          const profile = { name: nameOf(person), email: `${person}-${randomUUID()}@people.example` };
          return [person, await (person === "olga" ? signUpOperator : signUp)(profile)] as const;
        }),
      );
      cast = Object.fromEntries(accounts) as typeof cast;
      await Promise.all(PEOPLE.map((who) => this.send(who, { method: "GET", path: "/me" })));
    },

    /** Plants a bug, or none. */
    plant(bug: Between = (request, next) => next(request)): void {
      between = bug;
    },

    send(who: Caller, { method, path, body, version }: ApiCall): Promise<CheckedResponse> {
      const headers: [string, string][] = [];
      if (who !== "visitor") headers.push(["Authorization", `Bearer ${cast[who].token}`]);
      if (body) headers.push(["Content-Type", "application/json"]);
      if (version !== undefined) headers.push(["If-Match", `"${version}"`]);
      return between({ method, path, headers, body: body && JSON.stringify(body) }, send);
    },

    /** A text in which ids and addresses are replaced by names. */
    named(text: string): string {
      return PEOPLE.reduce(
        (all, person) =>
          all.replaceAll(cast[person].uid, person).replaceAll(cast[person].email, emailOf(person)),
        text,
      );
    },

    /** Lets those who wait for an announcement hear of it, unless the announcer is away. */
    async tellEverybody(): Promise<void> {
      if (!isHeld) await announcer.deliver();
    },

    holdNews(): void {
      isHeld = true;
    },

    /** Does what is due at the moment that the clock shows. */
    async runJobs(): Promise<void> {
      isHeld = false;
      for (const work of jobs) await work(new Date(clock.now));
      await announcer.deliver();
      // In that time whatever was cached has expired.
      for (const listener of listeners) listener(undefined);
    },

    /** Back to the beginning: nothing is left of the sequence before. */
    async reset(): Promise<void> {
      isHeld = false;
      between = (request, next) => next(request);
      const lift = { suspended: false, text: "It is over." };
      for (const { _id } of await database.suspensions.find({ liftedAt: null }).toArray())
        await this.send("olga", { method: "PATCH", path: `/profiles/${_id}/suspension`, body: lift });
      await announcer.deliver();
      await Promise.all(LEFT.map((name) => database[name].deleteMany({})));
      clock.now = beginning().now;
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
