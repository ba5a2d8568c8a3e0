import * as z from "zod/mini";
import { endpoints } from "../endpoint.ts";
import { pageQuerySchema } from "../index.ts";

const partQuery = z.pick(pageQuerySchema, { cursor: true });
const part = {
  method: "GET",
  access: "anyone",
  query: partQuery,
  streamed: true,
  responses: [{ status: 200, type: "application/xml" }],
  errors: ["invalid-cursor"],
} as const;

/** What search engines ask a site for. */
export const discoveryEndpoints = endpoints("Service", {
  robots: {
    method: "GET",
    path: "/robots.txt",
    summary: "What search engines may read",
    access: "anyone",
    open: true,
    responses: [{ status: 200, type: "text/plain" }],
  },
  sitemapIndex: {
    method: "GET",
    path: "/sitemap.xml",
    summary: "The parts of the sitemap",
    access: "anyone",
    responses: [{ status: 200, type: "application/xml" }],
  },
  sitemapPages: {
    method: "GET",
    path: "/sitemap-pages.xml",
    summary: "Pages that are always there",
    access: "anyone",
    open: true,
    responses: [{ status: 200, type: "application/xml" }],
  },
  sitemapTasks: { ...part, path: "/sitemap-tasks.xml", summary: "A part of the tasks that take bids" },
  sitemapPeople: { ...part, path: "/sitemap-people.xml", summary: "A part of the public profiles" },
});
