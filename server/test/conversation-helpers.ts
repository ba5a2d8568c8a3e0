import { beforeEach } from "vitest";
import type { Conversation } from "../src/contract/index.ts";
import { bidHelpers } from "./bid-helpers.ts";
import { aBidDoc, ownedBy, placedBy } from "./builders.ts";
import { type Harness, usePeople } from "./harness.ts";
import type { Person } from "./people.ts";

/** Before each test, Clara has a task on which Fred and a decoy bid. Nobody is shortlisted yet. */
type Scene = {
  clara: Person;
  fred: Person;
  /** Has bid on the same task but is in no conversation about it. */
  decoy: Person;
  /** The task's id. */
  task: string;
};

/** Opens conversations between a client and a bidder, and reads and writes in them. */
export function conversationHelpers(harness: Harness) {
  const [clara, fred, decoy] = usePeople("Clara Client", "Fred Freelancer", "Dan Decoy");
  const scene: Scene = { clara, fred, decoy, task: "" };
  const { bidId } = bidHelpers(harness);

  beforeEach(async () => {
    harness.clock.now = new Date();
    await harness.clear("conversations", "messages", "tasks", "bids", "notifications");
    const fields = { ...ownedBy(clara), title: "A logo", bidsCount: 2 };
    const { _id: taskId } = await harness.insertTask(fields);
    const bids = [fred, decoy].map((person) => aBidDoc({ taskId, ...placedBy(person) }));
    await harness.database.bids.insertMany(bids);
    scene.task = String(taskId);
  });

  const triage = async (person: Person, state: string) =>
    harness.ok(scene.clara).patch(`/tasks/${scene.task}/bids/${await bidId(scene.task, person)}`, { state });
  const openWith = async (person: Person, by = scene.clara) =>
    harness.as(by).post(`/tasks/${scene.task}/bids/${await bidId(scene.task, person)}/conversation`);
  const path = (id: string, rest = "") => `/me/conversations/${id}${rest}`;
  return {
    scene,
    triage,
    openWith,
    path,
    /** Shortlists Fred and opens Clara's conversation with him. @returns its id. */
    openConversation: async (): Promise<string> => {
      await triage(scene.fred, "shortlisted");
      return (await openWith(scene.fred)).body.insertedId;
    },
    write: (id: string, person: Person, text = "Hello.") =>
      harness.as(person).post(path(id, "/messages"), { text }),
    read: (id: string, person: Person): Promise<Conversation> => harness.read(path(id), person),
    listConversations: (person: Person): Promise<Conversation[]> => harness.read("/me/conversations", person),
  };
}
