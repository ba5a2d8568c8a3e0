import { BSON, ObjectId } from "mongodb";
import { beforeEach, expect } from "vitest";
import type { BidDoc } from "../src/db/documents/bids.ts";
import type { TaskDoc } from "../src/db/documents/tasks.ts";
import { aBidDoc, anAwardOf, ownedBy, placedBy } from "./builders.ts";
import { type Harness, usePeople } from "./harness.ts";
import { type Person, signUp } from "./people.ts";
import { runJobs } from "./run-jobs.ts";

/**
 * Deletes accounts and finds what is left of them. Before each test the database is emptied, and somebody signs up who
 * will delete their account: `scene.leaver`.
 */
export function deletionHelpers(harness: Harness) {
  const [client, ann, ben] = usePeople("Clara Client", "Otto", "Olga");
  const scene = { leaver: client };

  beforeEach(async () => {
    scene.leaver = await signUp({ name: "Zelda Quitterson", photoUrl: PICTURE });
    // No login may be later: a deletion is dated by the later of the two.
    harness.clock.now = new Date();
    await harness.clear();
  });

  const remove = (person: Person, query = "") => harness.ok(person).delete(`/me${query}`);
  const bidBy = (person: Person, taskId: ObjectId, fields: Partial<BidDoc> = {}) =>
    aBidDoc({
      taskId,
      ...placedBy(person),
      message: `Yours, ${person.name}`,
      days: 5,
      ...(person === scene.leaver && { bidderImage: PICTURE }),
      ...fields,
    });
  /** Stores a task with its bids. */
  async function taskWith(
    fields: Partial<TaskDoc>,
    bids: (taskId: ObjectId) => BidDoc[],
  ): Promise<[TaskDoc, ...BidDoc[]]> {
    const _id = new ObjectId();
    const placed = bids(_id);
    if (placed.length > 0) await harness.database.bids.insertMany(placed);
    return [await harness.insertTask({ _id, bidsCount: placed.length, ...fields }), ...placed];
  }
  return {
    ...{ scene, client, ann, ben },
    remove,

    /** Deletes the account, and tries again while the server is too busy to finish in time. */
    async removeWithRetry(person: Person) {
      let response = await harness.as(person).delete("/me");
      while (response.status === 503) response = await harness.as(person).delete("/me");
      return response;
    },

    /** Documents of any collection that still contain this person's id, email address or name. */
    async tracesOf({ uid, email, name }: Person): Promise<string[]> {
      const found: string[] = [];
      for (const collection of await harness.database.tasks.db.collections()) {
        for await (const document of collection.find()) {
          const text = BSON.EJSON.stringify(document);
          // The record of the deletion itself keeps the id; it expires some hours after the deletion.
          const words =
            collection.collectionName === "deletions" ? [email, name] : [uid, email, name, "zelda"];
          if (words.some((word) => text.includes(word))) found.push(`${collection.collectionName} ${text}`);
        }
      }
      return found;
    },

    /** Checks that every task's `bidsCount` is the number of its bids. */
    async expectCorrectBidCounts() {
      for await (const { _id, bidsCount } of harness.database.tasks.find()) {
        expect([_id, bidsCount]).toEqual([_id, await harness.database.bids.countDocuments({ taskId: _id })]);
      }
    },

    bidBy,
    task: (id: ObjectId) => harness.database.tasks.findOne({ _id: id }),
    bid: (id: ObjectId) => harness.database.bids.findOne({ _id: id }),

    /** The sorted uids of everybody with a notification of this kind. */
    async recipientsOf(kind: string) {
      await runJobs(harness);
      const found = await harness.database.notifications.find({ kind } as object).toArray();
      return found.map(({ recipientId }) => recipientId).sort();
    },

    taskWith,
    /** Stores a task that was awarded to the first of these people, with the bids of all of them. */
    awardedTask(owner: Person, bidders: readonly Person[], fields: Partial<TaskDoc> = {}) {
      const taskId = new ObjectId();
      const bids = bidders.map((person) => bidBy(person, taskId));
      const award = anAwardOf(bids[0] as BidDoc);
      return taskWith({ ...ownedBy(owner), _id: taskId, state: "awarded", award, ...fields }, () => bids);
    },
  };
}

const PICTURE = "https://pictures.example/zelda.png";
