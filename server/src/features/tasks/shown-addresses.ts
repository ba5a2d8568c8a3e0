import { hash } from "node:crypto";
import type { User } from "../../auth/token-verifier.ts";
import {
  ADDRESSES_PER_DAY,
  type CalendarDate,
  calendarDate,
  type Task,
  type TaskRole,
} from "../../contract/index.ts";
import { type Database, isDuplicateKey, READ_LIMITS } from "../../db/client.ts";
import type { PersonDoc } from "../../db/documents/people.ts";
import type { TaskRow } from "../../db/documents/tasks.ts";

export type AddressStore = ReturnType<typeof addressStore>;

type Kind = keyof typeof ADDRESSES_PER_DAY;

const DAY_MS = 86_400_000;
const UPSERT = { upsert: true, ...READ_LIMITS } as const;

/** Counts whose email addresses a person looks up, and knows which address is somebody's now. */
export function addressStore({ addressViews, people }: Pick<Database, "addressViews" | "people">) {
  return {
    /**
     * Adds somebody to those whose addresses the viewer has seen on this day, on whatever instance. Who is among them
     * already counts once.
     * @returns false if the viewer has seen as many as one may.
     */
    async maySee(viewer: string, kind: Kind, uid: string, today: CalendarDate): Promise<boolean> {
      const hasRoom = { [`seen.${ADDRESSES_PER_DAY[kind] - 1}`]: { $exists: false } };
      // The rule stands in the filter: who would be one too many matches nothing.
      const seen = digest(today, uid);
      const filter = { _id: viewsId(today, kind, viewer), $or: [{ seen }, hasRoom] };
      const add = { $addToSet: { seen } };
      const expireAt = new Date(Date.parse(today) + 2 * DAY_MS);
      try {
        await addressViews.updateOne(filter, { ...add, $setOnInsert: { expireAt } }, UPSERT);
        return true;
      } catch (error) {
        if (!isDuplicateKey(error)) throw error;
        // The document is there: full, or begun by another request at this moment.
        return (await addressViews.updateOne(filter, add, READ_LIMITS)).matchedCount === 1;
      }
    },

    /** This person's address as it is now, and whether they proved that it is theirs; null if they are not known. */
    addressOf(uid: string): Promise<Pick<PersonDoc, "email" | "emailVerified"> | null> {
      return people.findOne({ _id: uid }, { projection: { email: 1, emailVerified: 1 }, ...READ_LIMITS });
    },
  };
}

/** Names the set of those whose addresses somebody has seen on a day. */
export function viewsId(today: CalendarDate, kind: Kind, viewer: string): string {
  return digest(today, kind, viewer);
}

// Only counted, so nobody needs to be named: an account that is deleted leaves nothing of itself here.
function digest(...parts: string[]): string {
  return hash("sha256", parts.join(" "), "base64url").slice(0, 22);
}

type Addresses = Pick<Task, "email" | "emailVerified"> &
  Pick<NonNullable<Task["viewer"]>, "contact" | "addressLimitReached">;

const LIMIT_REACHED: Addresses = { addressLimitReached: true };

/**
 * The addresses that a task shows to somebody signed in: the poster's, if they left that on, and after an award to each
 * of its two sides the other's, until the task is opened again. What could be repeated to collect addresses is limited.
 */
export async function addressesFor(
  addresses: AddressStore,
  role: TaskRole,
  task: TaskRow,
  visitor: User,
  now: Date,
): Promise<Addresses> {
  const { award, ownerId, email, name } = task;
  const today = calendarDate(now);
  const contactOf = async (id: string, name: string, email: string) => {
    // Who deleted their account left no address.
    if (email === "") return undefined;
    const known = await addresses.addressOf(id);
    return { id, name, email: known?.email ?? email, emailVerified: known?.emailVerified ?? false };
  };
  if (role === "client") {
    if (!award) return {};
    const isRehired = task.awardCount > 1;
    if (isRehired && !(await addresses.maySee(visitor.uid, "rehired", award.freelancerId, today)))
      return LIMIT_REACHED;
    return { contact: await contactOf(award.freelancerId, award.name, award.email) };
  }
  const wasHired = award?.freelancerId === visitor.uid;
  if (email === "" || (!task.showEmail && !wasHired)) return {};
  if (!wasHired && !(await addresses.maySee(visitor.uid, "posters", ownerId, today))) return LIMIT_REACHED;
  const contact = await contactOf(ownerId, name, email);
  return {
    email: contact?.email,
    emailVerified: contact?.emailVerified,
    contact: wasHired ? contact : undefined,
  };
}
