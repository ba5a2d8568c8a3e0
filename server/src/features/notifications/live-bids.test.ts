import { beforeAll, test, vi } from "vitest";
import { listenOnFreePort, readEvents } from "../../../test/event-reader.ts";
import { signUpMany, useHarness } from "../../../test/harness.ts";
import type { Person } from "../../../test/people.ts";
import type { Notification, TaskEvent } from "../../contract/index.ts";

const harness = useHarness();
const CROWD = 20;
let client: Person;
let crowd: Person[];

beforeAll(async () => {
  [client, ...crowd] = (await signUpMany(CROWD + 1)) as [Person, ...Person[]];
}, 60_000);

test("When 20 people bid through two instances while the client's connection keeps breaking, then the client receives every bid", async () => {
  const instances = [harness.instance(), harness.instance()] as const;
  const ports = await Promise.all(instances.map(({ app }) => listenOnFreePort(app)));
  await Promise.all(instances.map(({ changes }) => vi.waitUntil(changes.isLive, { timeout: 5_000 })));
  const task = await harness.postTask(client);

  const open = (visit: number, lastEventId?: string) =>
    readEvents(ports[visit % 2]?.url ?? "", { person: client, task, lastEventId });
  let reader = await open(0);
  await reader.until(() => reader.events.some(({ id }) => id !== undefined), "an id to resume from");

  let bidding = true;
  const bids = (async () => {
    for (const [number, person] of crowd.entries()) {
      const amount = 100 + number;
      await instances[number % 2]?.as(person).patch(`/tasks/${task}/bid`, { amount }).expect(200);
    }
    bidding = false;
  })();
  const received = new Set<number | undefined>();
  const listen = () => {
    for (const { kind, amount } of reader.of<Notification>("notification"))
      if (kind === "new-bid") received.add(amount);
  };
  let lastEventId: string | undefined;
  for (let visit = 1; bidding; visit++) {
    await new Promise((resolve) => setTimeout(resolve, 150));
    listen();
    lastEventId = reader.leave() ?? lastEventId;
    reader = await open(visit, lastEventId);
  }
  await bids;
  await reader.until(() => {
    listen();
    return received.size === CROWD;
  }, "every bid");
  await reader.until(() => reader.of<TaskEvent>("task").at(-1)?.bidsCount === CROWD, "the count of bids");
  await reader.until(
    () => reader.of<{ unread: number }>("unread").at(-1)?.unread === CROWD,
    "the unread count",
  );
  reader.leave();
  await Promise.all(ports.map(({ close }) => close()));
}, 60_000);
