import { hash } from "node:crypto";
import type { User } from "../../auth/token-verifier.ts";
import {
  ADDRESSES_PER_DAY,
  addDays,
  type CalendarDate,
  calendarDate,
  type Task,
  type TaskRole,
} from "../../contract/index.ts";
import { type Database, isDuplicateKey } from "../../db/client.ts";
import type { PersonDoc } from "../../db/documents/people.ts";
import type { TaskDoc } from "../../db/documents/tasks.ts";

type Kind = keyof typeof ADDRESSES_PER_DAY;

const UPSERT = { upsert: true } as const;

/**
 * Records that the viewer sees this person's address today. The same person counts once a day, on all instances.
 * @returns false if the viewer has reached the daily limit.
 */
async function maySee(
  { addressViews }: Database,
  viewer: string,
  kind: Kind,
  uid: string,
  today: CalendarDate,
): Promise<boolean> {
  const hasRoom = { [`seen.${ADDRESSES_PER_DAY[kind] - 1}`]: { $exists: false } };
  // The filter enforces the limit: one address too many matches nothing.
  const seen = digest(today, uid);
  const filter = { _id: viewsId(today, kind, viewer), $or: [{ seen }, hasRoom] };
  const add = { $addToSet: { seen } };
  const expireAt = new Date(addDays(today, 2));
  try {
    await addressViews.updateOne(filter, { ...add, $setOnInsert: { expireAt } }, UPSERT);
    return true;
  } catch (error) {
    if (!isDuplicateKey(error)) throw error;
    // The document exists: it is full, or a concurrent request has just inserted it.
    return (await addressViews.updateOne(filter, add)).matchedCount === 1;
  }
}

/** The id of the set of people whose addresses somebody has seen on a day. */
export function viewsId(today: CalendarDate, kind: Kind, viewer: string): string {
  return digest(today, kind, viewer);
}

// A hash is enough for counting, and leaves nothing behind of a deleted account.
function digest(...parts: string[]): string {
  return hash("sha256", parts.join(" "), "base64url").slice(0, 22);
}

type Addresses = Pick<Task, "email" | "emailVerified"> &
  Pick<NonNullable<Task["viewer"]>, "contact" | "addressLimitReached">;

const LIMIT_REACHED: Addresses = { addressLimitReached: true };

/**
 * The addresses that a task shows to a signed-in visitor: the poster's if they allow it, but from an award until the task
 * is reopened only the two sides' addresses to each other. Daily limits keep people from collecting addresses.
 * @param known the two sides who have an account, by uid.
 */
export async function addressesFor(
  database: Database,
  role: TaskRole,
  task: TaskDoc,
  visitor: User,
  { now, known }: { now: Date; known: ReadonlyMap<string, PersonDoc> },
): Promise<Addresses> {
  const { award, ownerId, email, name } = task;
  const today = calendarDate(now);
  const contactOf = (id: string, name: string, email: string) => {
    // The person has deleted their account.
    if (email === "") return undefined;
    const person = known.get(id);
    const isHired = id === award?.freelancerId && task.state !== "cancelled";
    return {
      ...{ id, name, email: person?.email ?? email, emailVerified: person?.emailVerified ?? false },
      payment: isHired ? person?.payment : undefined,
    };
  };
  if (role === "client") {
    if (!award) return {};
    const isRehired = task.awardCount > 1;
    if (isRehired && !(await maySee(database, visitor.uid, "rehired", award.freelancerId, today)))
      return LIMIT_REACHED;
    return { contact: contactOf(award.freelancerId, award.name, award.email) };
  }
  const wasHired = award?.freelancerId === visitor.uid;
  if (email === "" || !(award ? wasHired : task.showEmail)) return {};
  if (!wasHired && !(await maySee(database, visitor.uid, "posters", ownerId, today))) return LIMIT_REACHED;
  const contact = contactOf(ownerId, name, email);
  return {
    email: contact?.email,
    emailVerified: contact?.emailVerified,
    contact: wasHired ? contact : undefined,
  };
}
