import { ObjectId } from "mongodb";

/** The newest-first order, and the two fields that end the index of every list in it. */
export const NEWEST_FIRST = { createdAt: -1, _id: -1 } as const;

type After = { $or?: [{ createdAt: Date; _id: { $lt: ObjectId } }, { createdAt: { $lt: Date } }] };

/** Filter of what comes after a place in a newest-first list; empty without one. The index merges its two ranges. */
export function newestAfter(place: { at: string; id: string } | undefined): After {
  if (!place) return {};
  const createdAt = new Date(place.at);
  return { $or: [{ createdAt, _id: { $lt: new ObjectId(place.id) } }, { createdAt: { $lt: createdAt } }] };
}
