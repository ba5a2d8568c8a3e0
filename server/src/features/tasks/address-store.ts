import { MongoServerError } from "mongodb";
import { ADDRESSES_PER_DAY, type CalendarDate } from "../../contract/index.ts";
import type { Database } from "../../db/client.ts";

export type AddressStore = ReturnType<typeof addressStore>;

type Kind = keyof typeof ADDRESSES_PER_DAY;

const DAY_MS = 86_400_000;
const DUPLICATE_KEY = 11000;
const TIME_LIMIT = { maxTimeMS: 4_000 } as const;

/** Counts whose e-mail addresses a person looks up, and knows which addresses were proved to be somebody's. */
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
      const filter = { _id: `${today} ${kind} ${viewer}`, $or: [{ seen: uid }, hasRoom] };
      const add = { $addToSet: { seen: uid } };
      const expireAt = new Date(Date.parse(today) + 2 * DAY_MS);
      try {
        await addressViews.updateOne(filter, { ...add, $setOnInsert: { expireAt } }, UPSERT);
        return true;
      } catch (error) {
        if (!(error instanceof MongoServerError) || error.code !== DUPLICATE_KEY) throw error;
        // The document is there: full, or begun by another request at this moment.
        return (await addressViews.updateOne(filter, add, TIME_LIMIT)).matchedCount === 1;
      }
    },

    /** Did this person prove that the address is theirs? */
    async isVerified(uid: string, email: string): Promise<boolean> {
      const filter = { _id: uid, email, emailVerified: true } as const;
      return (await people.findOne(filter, { projection: { _id: 1 }, ...TIME_LIMIT })) !== null;
    },
  };
}

const UPSERT = { upsert: true, ...TIME_LIMIT } as const;
