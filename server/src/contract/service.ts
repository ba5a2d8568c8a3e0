import * as z from "zod/mini";
import { endpoints, ok } from "./endpoint.ts";
import { pageQuerySchema } from "./fields.ts";
import { healthSchema, readinessSchema } from "./responses.ts";

export const serviceEndpoints = /* @__PURE__ */ endpoints("Service", {
  health: {
    method: "GET",
    path: "/health",
    summary: "Is the process alive?",
    access: "anyone",
    open: true,
    responses: [ok(healthSchema)],
  },
  readiness: {
    method: "GET",
    path: "/ready",
    summary: "Can requests be served?",
    access: "anyone",
    open: true,
    responses: [
      { status: 200, schema: readinessSchema, when: "Requests can be served" },
      {
        status: 503,
        schema: readinessSchema,
        when: "Requests would be refused: the database is not writable, the instance is overloaded, starting or stopping",
      },
    ],
  },
  describeApi: {
    method: "GET",
    path: "/openapi.json",
    summary: "This document",
    access: "anyone",
    open: true,
    responses: [{ status: 200, type: "application/openapi+json" }],
  },
  showApi: {
    method: "GET",
    path: "/api-docs",
    summary: "This document as a web page",
    access: "anyone",
    open: true,
    responses: [{ status: 200, type: "text/html" }],
  },
  startApiPage: {
    method: "GET",
    path: "/api-docs/start.js",
    summary: "The script of the API documentation page",
    access: "anyone",
    open: true,
    responses: [{ status: 200, type: "text/javascript" }],
  },
});

const partQuery = z.pick(pageQuerySchema, { cursor: true });
const part = {
  access: "anyone",
  query: partQuery,
  streamed: true,
  responses: [{ status: 200, type: "application/xml" }],
  errors: ["invalid-cursor"],
} as const;

/** What search engines fetch. */
export const discoveryEndpoints = /* @__PURE__ */ endpoints("Service", {
  robots: {
    method: "GET",
    path: "/robots.txt",
    summary: "What search engines may crawl",
    access: "anyone",
    open: true,
    responses: [{ status: 200, type: "text/plain" }],
  },
  sitemapIndex: {
    method: "GET",
    path: "/sitemap.xml",
    summary: "The sitemap index",
    access: "anyone",
    responses: [{ status: 200, type: "application/xml" }],
  },
  sitemapPages: {
    method: "GET",
    path: "/sitemap-pages.xml",
    summary: "Sitemap of the static pages",
    access: "anyone",
    open: true,
    responses: [{ status: 200, type: "application/xml" }],
  },
  sitemapTasks: {
    ...part,
    method: "GET",
    path: "/sitemap-tasks.xml",
    summary: "Sitemap of open tasks, one part",
  },
  sitemapPeople: {
    ...part,
    method: "GET",
    path: "/sitemap-people.xml",
    summary: "Sitemap of public profiles, one part",
  },
});
