import type { PageData } from "./lib/page-data.ts";
import { site } from "./lib/site.ts";
import type { PageFacts } from "./ui/page-head.tsx";

type Page = {
  /** Public origin of the site. */
  origin: string;
  /** The app's markup. */
  html: string;
  facts: PageFacts;
  data: PageData;
};

/** `client/public/screenshot.jpg`. */
const PREVIEW = { path: "/screenshot.jpg", width: 1280, height: 800, alt: `${site.brand}: a list of tasks` };

/** Fills the built index.html with head, content, and the data that the app would request first. */
export function fillPage(template: string, { origin, html, facts, data }: Page): string {
  const { path, title, description, missing, unlisted, feed, facts: structuredData } = facts;
  const url = origin + path;
  const head = [
    `<title>${escapeHtml(title)}</title>`,
    meta("name", "description", description),
    meta("property", "og:title", title),
    meta("property", "og:description", description),
    meta("property", "og:image", origin + PREVIEW.path),
    meta("property", "og:image:width", String(PREVIEW.width)),
    meta("property", "og:image:height", String(PREVIEW.height)),
    meta("property", "og:image:alt", PREVIEW.alt),
    unlisted && meta("name", "robots", "noindex"),
    !missing && meta("property", "og:url", url),
    !missing && `<link rel="canonical" href="${escapeHtml(url)}" />`,
    feed &&
      `<link rel="alternate" type="application/atom+xml" title="${site.brand} tasks" href="${escapeHtml(feed)}" />`,
    structuredData && `<script type="application/ld+json">${scriptJson(structuredData)}</script>`,
  ];
  return [
    [/<!--head-->[\s\S]*?<!--\/head-->/, head.filter(Boolean).join("\n    ")] as const,
    [/<!--app-->[\s\S]*?<!--\/app-->/, html] as const,
    [/<!--data-->/, facts.missing ? "" : dataScript(data)] as const,
  ].reduce((page, [placeholder, content]) => {
    if (!placeholder.test(page)) throw new Error(`index.html has no ${placeholder} to fill.`);
    // A replacer function, because `$` in a replacement string has a special meaning.
    return page.replace(placeholder, () => content);
  }, template);
}

function meta(kind: "name" | "property", key: string, content: string): string {
  return `<meta ${kind}="${key}" content="${escapeHtml(content)}" />`;
}

/** A data block: it never runs, so the Content-Security-Policy need not allow it. */
function dataScript(data: PageData): string {
  return `<script type="application/json" id="page-data">${scriptJson(data)}</script>`;
}

/** JSON that cannot close its script element, whatever it contains. */
function scriptJson(data: unknown): string {
  return JSON.stringify(data).replaceAll("<", "\\u003c");
}

function escapeHtml(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll('"', "&quot;").replaceAll("<", "&lt;");
}
