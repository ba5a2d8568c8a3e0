import { ObjectId } from "mongodb";
import type { User } from "../../auth/token-verifier.ts";
import type { Recommendation, Task } from "../../contract/index.ts";
import { type Database, NEWEST_FIRST } from "../../db/client.ts";
import { literally } from "../../domain/text-search.ts";
import { listFirst } from "./list-tasks.ts";
import type { TaskQueries } from "./store.ts";

/** How many open tasks, the newest, are compared. */
const MAX_COMPARED = 200;
/** How many of the person's bids, the newest, say what they look for. */
const MAX_BIDS = 50;
const MAX_RECOMMENDED = 5;

/** What somebody looks for: their skills, and categories and prices (USD) of their bids. */
type Interests = { skills: readonly string[]; categories: ReadonlySet<string>; prices: readonly number[] };

/** The newest open tasks that fit the person's skills or earlier bids, the best first. */
export async function recommendTasks(
  queries: TaskQueries,
  { people, bids, tasks }: Pick<Database, "people" | "bids" | "tasks">,
  user: User,
  now: Date,
): Promise<Recommendation[]> {
  const [person, own] = await Promise.all([
    people.findOne({ _id: user.uid }, { projection: { "profile.skills": 1 } }),
    bids.find({ bidderId: user.uid }, { sort: NEWEST_FIRST, limit: MAX_BIDS }).toArray(),
  ]);
  const skills = person?.profile?.skills ?? [];
  if (skills.length + own.length === 0) return [];
  const [open, bidOn] = await Promise.all([
    listFirst(queries, { state: "open" }, MAX_COMPARED, user, now),
    tasks.find({ _id: { $in: own.map(({ taskId }) => taskId) } }, { projection: { category: 1 } }).toArray(),
  ]);
  const ids = open.map(({ _id }) => new ObjectId(_id));
  const placed = await bids
    .find({ bidderId: user.uid, taskId: { $in: ids } }, { projection: { taskId: 1 } })
    .toArray();
  const taken = new Set(placed.map(({ taskId }) => String(taskId)));
  return ranked(
    open.filter(({ _id, clientId }) => clientId !== user.uid && !taken.has(_id)),
    {
      skills,
      categories: new Set(bidOn.map(({ category }) => category)),
      prices: own.map(({ amount }) => amount),
    },
  );
}

/** Those that name a skill or are in a category of earlier bids; of equally good ones the first come first. */
function ranked(tasks: readonly Task[], { skills, categories, prices }: Interests): Recommendation[] {
  const patterns = skills.map(
    (skill) =>
      [
        skill,
        new RegExp(`(?<![\\p{L}\\d])${literally(skill)}(?![\\p{L}\\d]|[+#]+(?![\\p{L}\\d]))`, "iu"),
      ] as const,
  );
  const [low, high] = [Math.min(...prices) / 2, Math.max(...prices) * 2];
  const found = tasks.map((task) => ({
    task,
    skill: patterns.find(([, pattern]) =>
      pattern.test([task.title, task.description, ...(task.skills ?? [])].join("\n")),
    )?.[0],
    sameCategory: categories.has(task.category),
    similarPrice: task.budget >= low && task.budget <= high,
  }));
  const scoreOf = ({ skill, sameCategory, similarPrice }: Recommendation) =>
    (skill ? 3 : 0) + (sameCategory ? 2 : 0) + (similarPrice ? 1 : 0);
  return found
    .filter(({ skill, sameCategory }) => skill !== undefined || sameCategory)
    .sort((a, b) => scoreOf(b) - scoreOf(a))
    .slice(0, MAX_RECOMMENDED);
}
