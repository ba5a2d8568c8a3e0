import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import {
  aTaskDraft,
  expectProblem,
  type Instance,
  type Person,
  signUp,
  useHarness,
} from "../../test/index.ts";
import { type Database, openDatabase } from "../db/client.ts";

const harness = useHarness();
const proxy = pausableProxy();
// Shorter than in production, so that the test measures the deadline and not the load of the machine.
const DEADLINE_MS = 2_000;
let database: Database;
let instance: Instance;
let ada: Person;
let id: string;

beforeAll(async () => {
  const { uri, dbName } = harness.address;
  const port = await proxy.open(Number(/:(\d+)/.exec(new URL(uri).host)?.[1]));
  database = await openDatabase({ uri: `mongodb://127.0.0.1:${port}/?directConnection=true`, dbName });
  instance = harness.instance({ database, deadlineMs: DEADLINE_MS });
  ada = await signUp();
  id = await harness.postTask(ada);
});
afterAll(async () => {
  proxy.flow();
  await database.close();
  proxy.close();
});

test("When the database hangs, then every operation gets 503 and Retry-After at its deadline, and all work again when it is back", async () => {
  const { as } = instance;
  const operations = {
    list: () => as().get("/tasks?limit=5"),
    "full list": () => as().get("/tasks"),
    search: () => as().get("/tasks?limit=5&search=booking"),
    featured: () => as().get("/tasks/featuretasks"),
    read: () => as(ada).get(`/tasks/${id}`),
    post: () => as(ada).post("/tasks", aTaskDraft()),
    "post once": () => as(ada).post("/tasks", aTaskDraft()).set("Idempotency-Key", crypto.randomUUID()),
    update: () => as(ada).put(`/tasks/${id}`, aTaskDraft()),
    state: () => as(ada).patch(`/tasks/${id}/state`, { state: "cancelled" }),
    bid: () => as(ada).patch(`/tasks/${id}/bid`),
    delete: () => as(ada).delete(`/tasks/${id}`),
    me: () => as(ada).get("/me"),
  };
  await operations.list().expect(200);
  proxy.hang();
  // The first round meets open connections, the second a pool without any.
  for (let round = 0; round < 2; round++) {
    await Promise.all(
      Object.entries(operations).map(async ([name, operation]) => {
        const response = await operation();
        const { requestId } = expectProblem(response, "unavailable");
        expect(response.headers["retry-after"], name).toBe("2");
        expect(harness.log.find((line) => line.includes(`"${requestId}"`))).toContain('"unavailable"');
      }),
    );
  }
  // And not when the driver gave up.
  expect(harness.log.join()).toContain(`no response within ${DEADLINE_MS} ms`);
  expect((await as().get("/ready")).status).toBe(503);
  await instance.ok().get("/health");

  proxy.flow();
  await expect
    .poll(async () => (await operations.list()).status, { timeout: 15_000, interval: 200 })
    .toBe(200);
  await operations.post().expect(201);
  await expect.poll(async () => (await as().get("/ready")).status, { timeout: 5_000 }).toBe(200);
}, 60_000);

test("When clients give up their reads, then these hold no connection of the database anymore, long before their deadline", async () => {
  // With the harness's long deadline; the driver would give them up after five seconds.
  const { as, ok } = harness.instance({ database });
  await ok(ada).get("/me/overview");
  // The last read may be giving its connection back.
  await expect.poll(() => database.pool().inUse).toBe(0);
  proxy.hang();
  const leaving = Array.from({ length: 5 }, () => as(ada).get("/me/overview"));
  for (const request of leaving) request.then(undefined, () => undefined);
  await expect.poll(() => database.pool().inUse).toBeGreaterThan(4);
  for (const request of leaving) request.abort();
  await expect.poll(() => database.pool().inUse, { timeout: 4_000 }).toBe(0);
  proxy.flow();
}, 30_000);

/** A proxy to the database that can stop forwarding, like a server that hangs or is unreachable. */
function pausableProxy() {
  const sockets = new Set<Socket>();
  let hangs = false;
  const server = createServer();
  const each = (act: (socket: Socket) => void) => {
    for (const socket of sockets) act(socket);
  };
  return {
    async open(to: number): Promise<number> {
      server.on("connection", (near) => {
        const far = connect(to, "127.0.0.1");
        for (const [one, other] of [
          [near, far],
          [far, near],
        ] as const) {
          sockets.add(one);
          one.on("data", (bytes) => other.write(bytes));
          one.on("error", () => other.destroy());
          one.on("close", () => {
            sockets.delete(one);
            other.destroy();
          });
          if (hangs) one.pause();
        }
      });
      server.listen(0, "127.0.0.1");
      await once(server, "listening");
      return (server.address() as { port: number }).port;
    },
    hang() {
      hangs = true;
      each((socket) => socket.pause());
    },
    flow() {
      hangs = false;
      each((socket) => socket.resume());
    },
    close() {
      each((socket) => socket.destroy());
      server.close();
    },
  };
}
