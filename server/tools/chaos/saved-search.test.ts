import { ObjectId } from "mongodb";
import { expect, test } from "vitest";
import type { TaskDoc } from "../../src/db/documents/tasks.ts";
import { useHarness } from "../../test/harness.ts";
import { signUp } from "../../test/people.ts";
import { SEARCHES, savedSearchProblems } from "./saved-search.ts";

const harness = useHarness();

test("When somebody is not notified of a matching task, or twice, or of one that does not match, then each is found", async () => {
  const { database } = harness;
  const person = await signUp();
  const stored = async (fields: Partial<TaskDoc>, times: number) => {
    const { _id, title } = await harness.insertTask({ budget: 900, ...fields });
    const notification = () => ({
      ...{ _id: new ObjectId(), recipientId: person.uid, kind: "search-match" as const },
      ...{ taskId: _id, taskTitle: title, asClient: false, readAt: null, createdAt: new Date() },
    });
    if (times > 0) await database.notifications.insertMany(Array.from({ length: times }, notification));
    return `${SEARCHES.emailed.name}: notified ${times} times of the new task ${_id}`;
  };
  await stored({}, 1);
  await stored({ budget: 699 }, 0);
  // These may have changed before anybody was notified.
  await stored({ state: "cancelled" }, 0);
  await stored({ revision: 1 }, 0);
  const wrong = [await stored({}, 0), await stored({}, 2), await stored({ budget: 699 }, 1)];
  const found = await savedSearchProblems(database, { person, search: SEARCHES.emailed });
  expect(found.toSorted()).toEqual(wrong.toSorted());
});
