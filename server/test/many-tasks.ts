import { type Collection, ObjectId } from "mongodb";
import { CATEGORIES, type Category } from "../src/contract/index.ts";
import type { TaskDoc } from "../src/db/documents/tasks.ts";
import { anyOf, seededRandom } from "../tools/lib/random.ts";
import { aTaskDoc, inDays } from "./builders.ts";

const WORK: Record<Category, string[]> = {
  "Web Development": ["Build a booking page", "Fix the checkout", "Speed up a search", "Upgrade a REST API"],
  Design: ["Design a logo", "Redraw 40 icons", "Lay out a menu card", "Illustrate a book cover"],
  Writing: ["Write a newsletter", "Edit a grant application", "Translate a manual", "Proofread case studies"],
  Marketing: ["Plan a spring campaign", "Audit an ads account", "Grow a newsletter", "Research keywords"],
};
const CLIENTS = [
  "bakery",
  "bike rental",
  "pottery studio",
  "museum",
  "dentist",
  "brewery",
  "vineyard",
  "hotel",
];
const PLACES = ["Lisbon", "Dhaka", "Oslo", "Quito", "Kyoto", "Zagreb", "Nairobi", "Graz", "Örebro"];

/**
 * Realistic tasks of many clients; deadlines and posting times repeat, as they do in reality.
 * @param describe may give a task a description of its own, by its number.
 */
export function manyTasks(
  count: number,
  seed = 1,
  describe: (number: number) => string | undefined = () => undefined,
): TaskDoc[] {
  const roll = seededRandom(seed);
  const pick = <T>(from: readonly T[]) => anyOf(from, roll) as T;
  const now = Date.now();
  return Array.from({ length: count }, (_, number) => {
    const category = pick(CATEGORIES);
    const createdAt = new Date(now - Math.floor(roll() * 500) * 60_000);
    const description = describe(number);
    return aTaskDoc({
      ...(description !== undefined && { description }),
      _id: new ObjectId(),
      title: `${pick(WORK[category])} for a ${pick(CLIENTS)} in ${pick(PLACES)}`,
      category,
      deadline: inDays(Math.floor(roll() * 60) - 10),
      budget: 50 + ((number * 37) % 400) * 5,
      ownerId: `owner-${Math.floor(roll() * 40)}`,
      bidsCount: Math.floor(roll() * 12),
      createdAt,
      updatedAt: createdAt,
    });
  });
}

/** The same tasks, some of them awarded, completed, cancelled or hidden, as in reality. */
export function inAllStates(tasks: readonly TaskDoc[]): TaskDoc[] {
  const states = ["open", "awarded", "open", "open", "completed", "open", "cancelled", "open"] as const;
  return tasks.map((task, number) => {
    return { ...task, state: states[number % states.length] ?? "open", hidden: number % 13 === 0 };
  });
}

/** Stores tasks in batches, since a busy machine takes longer for all of them than the time limit of one command. */
export async function storeMany(collection: Collection<TaskDoc>, tasks: readonly TaskDoc[]): Promise<void> {
  for (let start = 0; start < tasks.length; start += 250)
    await collection.insertMany(tasks.slice(start, start + 250));
}
