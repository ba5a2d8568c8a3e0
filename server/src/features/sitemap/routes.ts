import type { Request, Response } from "express";
import * as z from "zod/mini";
import type { Context } from "../../context.ts";
import { calendarDate } from "../../contract/index.ts";
import { discoveryEndpoints } from "../../contract/service.ts";
import { createReadCache } from "../../db/read-cache.ts";
import type { Api } from "../../http/mount.ts";
import { idKey, readCursor, writeCursor } from "../../http/pagination.ts";
import { SENT, SerializedBody, sendSerialized, sendStream } from "../../http/response-body.ts";
import { escapeXml, XML_HEAD } from "../../http/site.ts";
import { type PersonPlace, sitemapQueries, type TaskPlace } from "./store.ts";

/** The web app's static pages. */
const PAGES = ["/", "/browsetask", "/people", "/about", "/contact", "/terms", "/privacy"];

/** URLs per part; the protocol allows 50,000. */
const PART_SIZE = 10_000;
const CHUNK = 1_000;
/** Parts of each kind: ten million URLs. */
const MAX_PARTS = 1_000;
/** How long the list of parts is cached: finding where they begin takes the database a second for a million tasks. */
const INDEX_MS = 3_600_000;
const TYPE = "application/xml; charset=utf-8";

const taskPlace: z.ZodMiniType<TaskPlace> = z.tuple([z.string().check(z.regex(/^\d{4}-\d\d-\d\d$/)), idKey]);
const personPlace: z.ZodMiniType<PersonPlace> = z.tuple([z.string().check(z.maxLength(128))]);

/** Reads `limit` places after a place, skipping the first `skip`. */
type Read<P> = (range: { after: P | undefined; skip?: number; limit: number }) => Promise<P[]>;
/** A part of the sitemap: `listed` leaves out some of its places. */
type Part<P> = {
  read: Read<P>;
  after: P | undefined;
  path: (place: P) => string;
  listed?: (places: P[]) => Promise<P[]>;
};

/**
 * robots.txt, and a sitemap of everything public: an index of parts, each starting at a place in a database index, so
 * that a part costs no more than the URLs it lists.
 */
export function sitemapRoutes(api: Api, { database, origin }: Context): void {
  const queries = sitemapQueries(database);
  const cachedIndex = createReadCache(INDEX_MS);

  async function partsOf(today: string): Promise<string[]> {
    const [tasks, people] = await Promise.all([
      placesOf<TaskPlace>((range) => queries.tasks(today, range)),
      placesOf(queries.people),
    ]);
    const link = (kind: string, place: readonly string[] | undefined) =>
      `/sitemap-${kind}.xml${place ? `?${new URLSearchParams({ cursor: writeCursor(`sitemap ${kind}`, place) })}` : ""}`;
    return [
      "/sitemap-pages.xml",
      ...tasks.map((place) => link("tasks", place)),
      ...people.map((place) => link("people", place)),
    ];
  }

  async function sendPart<P extends readonly string[]>(
    request: Request,
    response: Response,
    { read, after, path, listed }: Part<P>,
  ) {
    const site = origin(request);
    const first = await read({ after, limit: CHUNK });
    cacheFor(response, 3_600).type(TYPE);
    async function* pieces() {
      yield START;
      let chunk = first;
      for (let sent = 0; chunk.length > 0; ) {
        yield (listed ? await listed(chunk) : chunk).map((place) => entry(site + path(place))).join("");
        sent += chunk.length;
        if (chunk.length < CHUNK || sent >= PART_SIZE) break;
        chunk = await read({ after: chunk.at(-1), limit: CHUNK });
      }
      yield END;
    }
    return sendStream(request, response, pieces());
  }

  api.mount(discoveryEndpoints, {
    robots: ({ request, response }) => {
      const lines = ["User-agent: *", "Disallow: /dash/", "", `Sitemap: ${origin(request)}/sitemap.xml`, ""];
      cacheFor(response, 3_600).type("text/plain").send(lines.join("\n"));
      return SENT;
    },

    sitemapPages: ({ request, response }) => {
      cacheFor(response, 3_600)
        .type(TYPE)
        .send(`${START}${PAGES.map((path) => entry(origin(request) + path)).join("")}${END}`);
      return SENT;
    },

    sitemapIndex: async ({ request, response, now }) => {
      const found = await cachedIndex("parts", () => partsOf(calendarDate(now)));
      const parts = found.map((path) => `<sitemap><loc>${escapeXml(origin(request) + path)}</loc></sitemap>`);
      const xml = `${XML_HEAD}<sitemapindex ${SCHEMA}>\n${parts.join("\n")}\n</sitemapindex>\n`;
      await sendSerialized(request, cacheFor(response, 3_600), new SerializedBody(Buffer.from(xml)), TYPE);
      return SENT;
    },

    sitemapTasks: ({ query, request, response, now }) => {
      const after = readCursor("sitemap tasks", query.cursor, taskPlace);
      const today = calendarDate(now);
      const path = ([, id]: readonly string[]) => `/taskdetails/${id}`;
      const listed = queries.withoutUnlisted;
      return sendPart(request, response, {
        read: (range) => queries.tasks(today, range),
        after,
        path,
        listed,
      });
    },

    sitemapPeople: ({ query, request, response }) => {
      const after = readCursor("sitemap people", query.cursor, personPlace);
      const path = ([id = ""]: readonly string[]) => `/people/${encodeURIComponent(id)}`;
      const { people: read, withoutUnlistedPeople: listed } = queries;
      return sendPart(request, response, { read, after, path, listed });
    },
  });
}

/** The places after which the parts begin; undefined is the start of the first one. */
async function placesOf<P>(read: Read<P>): Promise<(P | undefined)[]> {
  const places: (P | undefined)[] = [undefined];
  while (places.length < MAX_PARTS) {
    // Another part only if an entry follows: an empty one is invalid (sitemaps.org/protocol.html).
    const [last, next] = await read({ after: places.at(-1), skip: PART_SIZE - 1, limit: 2 });
    if (!last || !next) break;
    places.push(last);
  }
  return places;
}

const SCHEMA = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"';
const START = `${XML_HEAD}<urlset ${SCHEMA}>\n`;
const END = "</urlset>\n";
const entry = (address: string) => `<url><loc>${escapeXml(address)}</loc></url>\n`;

/** Lets proxies cache the response, which is the same for everybody. */
function cacheFor(response: Response, seconds: number): Response {
  return response.set("Cache-Control", `public, max-age=${seconds}`);
}
