import { ObjectId } from "mongodb";
import { addDays, CATEGORIES, type CalendarDate, calendarDate } from "../src/contract/index.ts";
import type { TaskDoc } from "../src/db/collections.ts";
import { titleGrams } from "../src/features/tasks/title-grams.ts";
import { dice, pick, titleOf } from "./titles.ts";

const DESCRIPTION =
  "We have the texts and a first sketch. You work alone and ask when something is unclear; we answer within a day. " +
  "The result comes as editable files, and one round of changes is part of the price.";
const OWNERS = 5_000;
const DAYS_AHEAD = 90;
const DAYS_PAST = 30;

/** Tasks as the product stores them, `count` of them, in batches; the same for the same count and day. */
export function* taskBatches(count: number, size: number): Generator<TaskDoc[]> {
  const roll = dice(count);
  const now = Date.now();
  const today = calendarDate(new Date(now));
  const days = Array.from({ length: DAYS_PAST + DAYS_AHEAD }, (_, day) => addDays(today, day - DAYS_PAST));
  for (let start = 0; start < count; start += size) {
    const length = Math.min(size, count - start);
    yield Array.from({ length }, (_, offset) => {
      const category = pick(roll, CATEGORIES);
      const title = titleOf(roll, category, start + offset, count);
      const owner = Math.floor(roll() * OWNERS);
      // Posted in the last year, so that instants repeat as rarely as they do in life.
      const createdAt = new Date(now - Math.floor(roll() * 365 * 86_400) * 1_000);
      return {
        _id: new ObjectId(),
        title,
        category,
        description: DESCRIPTION,
        deadline: pick(roll, days) as CalendarDate,
        budget: 50 + Math.floor(roll() * 2_000),
        ownerId: `owner-${owner}`,
        email: `client-${owner}@people.example`,
        name: `Client ${owner}`,
        bidsCount: Math.floor(roll() ** 3 * 20),
        createdAt,
        updatedAt: createdAt,
        revision: 0,
        grams2: titleGrams(title),
      };
    });
  }
}
