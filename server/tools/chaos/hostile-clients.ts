import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { MongoClient } from "mongodb";
import { TASK_LIMITS } from "../../src/contract/index.ts";
import { collectionsOf } from "../../src/db/collections.ts";
import { manyTasks, storeMany } from "../../test/many-tasks.ts";
import { waitUntil } from "../lib/wait-until.ts";
import type { Instance, Target } from "./instance.ts";

const get = (path: string, from = "192.0.2.1") =>
  `GET ${path} HTTP/1.1\r\nHost: tasklane\r\nX-Forwarded-For: ${from}\r\n\r\n`;

const RESETS = 20;
const SOON = { timeoutMs: 5_000, everyMs: 200 };

/** Repeatedly sends hundreds of requests in one write and resets the connection: none may stay counted. */
export async function pipelineAndReset({ instances, problems }: Target): Promise<string> {
  for (const each of instances) {
    for (let times = 0; times < RESETS; times++) {
      const socket = await opened(each);
      socket.write(get("/ready") + get("/tasks?limit=1").repeat(310));
      await Promise.race([once(socket, "data"), once(socket, "close")]);
      socket.resetAndDestroy();
    }
    const agree = async () => {
      const { requests_in_flight: counted = 0, event_streams: exempt = 0, ...rest } = await each.metrics();
      return counted + exempt === rest["connections_busy"];
    };
    if (!(await waitUntil(agree, SOON)))
      problems.push(`${each.url} still counts requests of connections that were reset`);
    await expectPages(each, 5, problems);
  }
  return `${RESETS} resets of 311 requests each`;
}

const READERS = 340;
const EVERY_MS = 30;
const MAX_LISTS = 24;
const CUT_OFF = { timeoutMs: 60_000, everyMs: 200 };
const BULK_OWNER = "chaos-bulk";
const BULK_BYTES = 7_000_000;

/** Requests more than network buffers hold and reads nothing: others must be served, and such readers disconnected. */
export async function readNothing({ set, instances, problems }: Target): Promise<string> {
  const [instance] = instances as [Instance];
  const client = new MongoClient(set.uri);
  const { tasks } = collectionsOf(client.db());
  const sockets: Socket[] = [];
  try {
    // Loopback alone buffers four megabytes for a client that reads nothing.
    const bulk = { ownerId: BULK_OWNER, description: "x".repeat(TASK_LIMITS.description) };
    await storeMany(
      tasks,
      manyTasks(BULK_BYTES / TASK_LIMITS.description).map((task) => ({ ...task, ...bulk })),
    );
    const before = await megabytes(instance);
    for (let reader = 0; reader < READERS; reader++) {
      const socket = await opened(instance);
      sockets.push(socket);
      socket.pause();
      socket.write(get("/tasks", `198.51.100.${reader % 200}`));
      // All at once they would only queue to be accepted, one for each turn of the event loop, and others behind them.
      await sleep(EVERY_MS);
    }
    await waitUntil(async () => (await lists(instance)) === MAX_LISTS, SOON);
    const held = await lists(instance);
    if (held === 0 || held > MAX_LISTS) problems.push(`${held} whole lists were sent at the same time`);
    await expectPages(instance, 10, problems);
    const most = await megabytes(instance);
    const began = performance.now();
    if (!(await waitUntil(async () => (await lists(instance)) === 0, CUT_OFF)))
      problems.push(`${await lists(instance)} clients that read nothing were not disconnected`);
    const seconds = ((performance.now() - began) / 1_000).toFixed(0);
    return `${held} of ${READERS} lists begun, cut off after ${seconds} s, memory ${before} to ${most} MB`;
  } finally {
    for (const socket of sockets) socket.destroy();
    await tasks.deleteMany({ ownerId: BULK_OWNER });
    await client.close();
  }
}

const IDLE = 5_100;
const MAX_CONNECTIONS = 5_000;
const BATCH = 100;

/** Opens more connections than allowed and keeps them idle after one request each: new ones must be served. */
export async function holdIdleConnections({ instances, problems }: Target): Promise<string> {
  const [instance] = instances as [Instance];
  const sockets: Socket[] = [];
  try {
    while (sockets.length < IDLE) {
      const more = await Promise.all(Array.from({ length: BATCH }, () => opened(instance)));
      const from = `203.0.113.${sockets.length / BATCH}`;
      sockets.push(...more);
      for (const socket of more) socket.resume().write(get("/health", from));
      await Promise.all(more.map((socket) => Promise.race([once(socket, "data"), once(socket, "close")])));
    }
    await expectPages(instance, 10, problems);
    const { connections_open: open = 0, connections_refused: refused } = await instance.metrics();
    if (open > MAX_CONNECTIONS) problems.push(`${open} connections are open`);
    if (refused !== 0) problems.push(`${refused} new connections were refused although others were idle`);
    return `${open} of ${IDLE} kept`;
  } finally {
    for (const socket of sockets) socket.destroy();
  }
}

async function opened({ directUrl }: Instance): Promise<Socket> {
  const { hostname, port } = new URL(directUrl);
  const socket = connect(Number(port), hostname);
  await once(socket, "connect");
  return socket.on("error", () => undefined);
}

/** Requests pages as somebody else, each on a new connection. */
async function expectPages({ url }: Instance, count: number, problems: string[]): Promise<void> {
  for (let sent = 0; sent < count; sent++) {
    const headers = { connection: "close", "x-forwarded-for": "192.0.2.99" };
    const status = await fetch(`${url}/tasks?limit=1`, { headers }).then(
      (response) => response.text().then(() => response.status),
      (error: Error) => String(error.cause ?? error),
    );
    if (status !== 200) problems.push(`a page got ${status} while hostile clients were connected`);
  }
}

async function lists(instance: Instance): Promise<number> {
  return (await instance.metrics())["lists_in_flight"] ?? Number.NaN;
}

async function megabytes(instance: Instance): Promise<number> {
  return Math.round(((await instance.metrics())["process_resident_memory_bytes"] ?? 0) / 2 ** 20);
}
