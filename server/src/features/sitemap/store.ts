import { type Filter, ObjectId } from "mongodb";
import type { CalendarDate } from "../../contract/index.ts";
import type { Database } from "../../db/client.ts";
import type { PersonDoc } from "../../db/documents/people.ts";
import type { TaskDoc } from "../../db/documents/tasks.ts";
import { suspendedOf } from "../../domain/people.ts";
import { takingBids, VISIBLE } from "../../domain/task-conditions.ts";

/** The task after which a part of the sitemap begins. */
export type TaskPlace = readonly [deadline: string, id: string];
export type PersonPlace = readonly [id: string];

/** Which part of a list: at most `limit` after a place, without the first `skip`. */
type Range<Place> = { after: Place | undefined; skip?: number; limit: number };

/** Reads what the sitemap lists, in keyset order and from indexes alone. */
export function sitemapQueries(database: Database) {
  const { tasks, people } = database;
  return {
    /** Tasks that take bids on this day, soonest deadline first; with unlisted ones. */
    async tasks(today: CalendarDate, { after, ...range }: Range<TaskPlace>): Promise<TaskPlace[]> {
      const filter: Filter<TaskDoc> = { ...takingBids(today), ...VISIBLE };
      if (after) {
        const [deadline, id] = after;
        // Deadlines before today are skipped even if the place is older.
        const from = deadline < today ? { $gte: today } : { $gt: deadline };
        filter.$or = [{ deadline, _id: { $gt: new ObjectId(id) } }, { deadline: from }];
      }
      const found = await tasks
        .find<Pick<TaskDoc, "_id" | "deadline">>(filter, {
          sort: { deadline: 1, _id: 1 },
          projection: { deadline: 1 },
          ...range,
          hint: "by-deadline",
        })
        .toArray();
      return found.map(({ deadline, _id }) => [deadline, _id.toHexString()] as const);
    },

    /** Those of these tasks that are not unlisted. */
    async withoutUnlisted(places: TaskPlace[]): Promise<TaskPlace[]> {
      const ids = places.map(([, id]) => new ObjectId(id));
      const filter = { unlisted: true, _id: { $in: ids } } as const;
      const unlisted = await tasks.find(filter, { projection: { _id: 1 }, hint: "unlisted" }).toArray();
      return places.filter(([, id]) => !unlisted.some(({ _id }) => _id.toHexString() === id));
    },

    /** Everybody with a public profile, by uid; also those whom {@link withoutUnlistedPeople} leaves out. */
    async people({ after, ...range }: Range<PersonPlace>): Promise<PersonPlace[]> {
      const filter = { publicSince: { $exists: true }, ...(after && { _id: { $gt: after[0] } }) };
      const found = await people
        .find<Pick<PersonDoc, "_id">>(filter, {
          sort: { _id: 1 },
          projection: { _id: 1 },
          ...range,
          hint: "public",
        })
        .toArray();
      return found.map(({ _id }) => [_id] as const);
    },

    /** Those of these people who are neither suspended nor want to be left out of the directory. */
    async withoutUnlistedPeople(places: PersonPlace[]): Promise<PersonPlace[]> {
      const ids = places.flat();
      const filter = { _id: { $in: ids }, notInDirectory: true } as const;
      const [suspended, optedOut] = await Promise.all([
        suspendedOf(database, ids),
        people.find(filter, { projection: { _id: 1 } }).toArray(),
      ]);
      return places.filter(([id]) => !suspended.has(id) && !optedOut.some(({ _id }) => _id === id));
    },
  };
}
