import type { QueryKey } from "@tanstack/react-query";
import { site } from "./lib/site.ts";
import type { PageFacts } from "./ui/page-head.tsx";

/** What the page is filled with besides its markup: queries of its first view, as they are in the query cache. */
export type PageData = readonly (readonly [key: QueryKey, data: unknown])[];

type Page = {
  /** Public origin of the site. */
  origin: string;
  /** Without the query. */
  path: string;
  /** The app's markup. */
  html: string;
  facts: PageFacts;
  data: PageData;
};

/** `client/public/screenshot.jpg`. */
const PREVIEW = { path: "/screenshot.jpg", width: 1280, height: 800, alt: `${site.brand}: a list of tasks` };

/** Fills the built index.html: head, content, and data that the app would ask for first. */
export function fillPage(template: string, { origin, path, html, facts, data }: Page): string {
  const address = origin + path;
  const { title, description, missing, feed, facts: about } = facts;
  const head = [
    `<title>${escapeHtml(title)}</title>`,
    meta("name", "description", description),
    meta("property", "og:title", title),
    meta("property", "og:description", description),
    meta("property", "og:image", origin + PREVIEW.path),
    meta("property", "og:image:width", String(PREVIEW.width)),
    meta("property", "og:image:height", String(PREVIEW.height)),
    meta("property", "og:image:alt", PREVIEW.alt),
    missing ? meta("name", "robots", "noindex") : meta("property", "og:url", address),
    !missing && `<link rel="canonical" href="${escapeHtml(address)}" />`,
    feed &&
      `<link rel="alternate" type="application/atom+xml" title="${site.brand} tasks" href="${escapeHtml(feed)}" />`,
    about && `<script type="application/ld+json">${scriptJson(about)}</script>`,
  ];
  return [
    [/<!--head-->[\s\S]*?<!--\/head-->/, head.filter(Boolean).join("\n    ")] as const,
    [/<!--app-->[\s\S]*?<!--\/app-->/, html] as const,
    [/<!--data-->/, data.length > 0 ? dataScript(data) : ""] as const,
    // A replacer function: the page's own `$` must stay what they are.
  ].reduce((page, [place, content]) => {
    if (!place.test(page)) throw new Error(`index.html has no ${place} to fill.`);
    return page.replace(place, () => content);
  }, template);
}

function meta(kind: "name" | "property", key: string, content: string): string {
  return `<meta ${kind}="${key}" content="${escapeHtml(content)}" />`;
}

/** A block of data, which no Content-Security-Policy has to allow: it never runs. */
function dataScript(data: PageData): string {
  return `<script type="application/json" id="page-data">${scriptJson(data)}</script>`;
}

/** JSON that ends no script, whatever stands in it. */
function scriptJson(data: unknown): string {
  return JSON.stringify(data).replaceAll("<", "\\u003c");
}

function escapeHtml(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll('"', "&quot;").replaceAll("<", "&lt;");
}
