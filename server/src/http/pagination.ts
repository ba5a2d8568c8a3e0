import { createHash } from "node:crypto";
import type { Request, Response } from "express";
import type { Collection, Filter, ObjectId } from "mongodb";
import * as z from "zod/mini";
import type { PageQuery } from "../contract/index.ts";
import { NEWEST_FIRST, type NewestPlace, newestAfter, type PageStart } from "../db/client.ts";
import { ProblemError } from "../domain/problem-error.ts";

/** The values of a list's sort fields in the document after which a page begins. */
type SortKey = readonly (string | number | boolean | null)[];

/** Parts of sort keys: an ISO date-time, a document's id. */
export const instantKey = z.iso.datetime();
export const idKey = z.string().check(z.regex(/^[\da-f]{24}$/));

/** How a list is ordered: the schema of its sort keys, and the key of what it finds. */
type Order<T, K extends SortKey> = { key: z.ZodMiniType<K>; keyOf: (found: T) => K };

type Dated = { createdAt: Date; _id: ObjectId };

export const newestFirst: Order<Dated, NewestPlace> = {
  key: z.tuple([instantKey, idKey]),
  keyOf: ({ createdAt, _id }) => [createdAt.toISOString(), _id.toHexString()],
};

const DEFAULT_PAGE_SIZE = 20;

export function pageLimit({ limit }: { limit?: string | undefined }): number {
  return Number(limit ?? DEFAULT_PAGE_SIZE);
}

/**
 * Encodes a sort key as the opaque cursor that a client sends for the next page.
 * @param list identifies the list with its order and filters, because a cursor of one list is meaningless in another.
 */
export function writeCursor(list: string, key: SortKey): string {
  // The digest is not a signature: a forged cursor only chooses where in the list to start.
  const digest = createHash("sha256").update(list).digest("base64url").slice(0, 12);
  return Buffer.from(JSON.stringify([...key, digest])).toString("base64url");
}

/**
 * Decodes a cursor that was written for this list.
 * @throws {ProblemError} `invalid-cursor` (400) for anything else.
 */
export function readCursor<K extends SortKey>(
  list: string,
  cursor: string | undefined,
  schema: z.ZodMiniType<K>,
): K | undefined {
  if (cursor === undefined) return undefined;
  const { data: key } = schema.safeParse(decode(cursor));
  // A sort key has exactly one encoding per list, so any other cursor is not ours.
  if (key && writeCursor(list, key) === cursor) return key;
  throw new ProblemError("invalid-cursor", {
    detail: "This cursor is not valid for this list: start again without it.",
  });
}

function decode(cursor: string): unknown {
  try {
    const parts: unknown = JSON.parse(Buffer.from(cursor, "base64url").toString());
    return Array.isArray(parts) ? parts.slice(0, -1) : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Cuts the page out of documents that were read with a limit of one more, to find out whether there is a next page.
 * @returns `last` is the last document of the page if there is a next one.
 */
export function cutPage<T>(found: readonly T[], limit: number): { page: T[]; last: T | undefined } {
  const page = found.slice(0, limit);
  return { page, last: found.length > limit ? page.at(-1) : undefined };
}

/**
 * The `Link` to the next page (RFC 8288), with the parameters that the list reads. It is relative, so that neither the
 * Host header nor the host of an absolute URL gets into a response.
 */
export function linkToNext(
  { baseUrl, path }: Pick<Request, "baseUrl" | "path">,
  query: PageQuery,
  cursor: string,
): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries({ ...query, cursor })) if (value) parameters.set(name, value);
  return `<${baseUrl}${path}?${parameters}>; rel="next"`;
}

type List<T, K extends SortKey> = {
  /** Identifies the list with its order and filters, because a cursor of one list is meaningless in another. */
  list: string;
  order: Order<T, K>;
  read: (start: PageStart<K>) => Promise<T[]>;
};

/** What {@link readPage} needs of a request. */
export type PageCall<Q extends PageQuery = PageQuery> = { query: Q; request: Request; response: Response };

/** Reads the page of a list that a request asks for, and sets the `Link` to the next page if there is one. */
export async function readPage<T, K extends SortKey>(
  { query, request, response }: PageCall,
  { list, order, read }: List<T, K>,
): Promise<T[]> {
  const limit = pageLimit(query);
  const after = readCursor(list, query.cursor, order.key);
  const { page, last } = cutPage(await read({ after, limit: limit + 1 }), limit);
  if (last) response.setHeader("Link", linkToNext(request, query, writeCursor(list, order.keyOf(last))));
  return page;
}

/** The page of the documents that match, newest first. */
export function readNewest<T extends Dated>(
  call: PageCall,
  list: string,
  collection: Collection<T>,
  filter: Filter<T>,
): Promise<T[]> {
  return readPage(call, { list, order: newestFirst, read: newestOf(collection, filter) });
}

/** The page of the documents that match, those without this mark first, each part newest first. */
export function readUnmarkedFirst<Mark extends string, T extends Dated & Record<Mark, boolean>>(
  call: PageCall,
  list: string,
  collection: Collection<T>,
  mark: Mark,
  /** Undefined leaves this part out. */
  filterOf: (marked: boolean) => Filter<T> | undefined,
): Promise<T[]> {
  const key = z.tuple([z.boolean(), instantKey, idKey]);
  return readPage(call, {
    list,
    order: { key, keyOf: (found: T): z.infer<typeof key> => [found[mark], ...newestFirst.keyOf(found)] },
    async read({ after, limit }) {
      const found: T[] = [];
      for (const marked of after?.[0] ? [true] : [false, true]) {
        const filter = filterOf(marked);
        const from = after?.[0] === marked ? ([after[1], after[2]] as const) : undefined;
        const start = { after: from, limit: limit - found.length };
        if (filter && start.limit > 0)
          found.push(...(await newestOf(collection, { ...filter, [mark]: marked })(start)));
      }
      return found;
    },
  });
}

const newestOf =
  <T extends Dated>(collection: Collection<T>, filter: Filter<T>) =>
  async ({ after, limit }: PageStart): Promise<T[]> => {
    const from = { ...filter, ...newestAfter(after) } as Filter<T>;
    return (await collection.find(from, { sort: NEWEST_FIRST, limit }).toArray()) as T[];
  };
