import type { Request, Response } from "express";
import { SENT, type Sent } from "./response-body.ts";

/** What the feed, the documentation and the pages of the API call the product; client/src/lib/site.ts says it for the web app. */
export const BRAND = "Tasklane";

/** The public origin of the web app, for links that leave it. */
export type SiteOrigin = (request: Pick<Request, "socket">) => string;

/** @param webUrl as configured; without it, this machine at the port that the request came to: never the Host header. */
export function siteOrigin(webUrl: string | undefined): SiteOrigin {
  return ({ socket }) => webUrl ?? `http://localhost:${socket.localPort}`;
}

/**
 * Sends a page that needs neither the web app nor a login.
 * @param content HTML; what of it comes from people must be escaped.
 */
export function sendPage(response: Response, title: string, content: string): Sent {
  response.setHeader("Cache-Control", "no-store");
  response.setHeader("Referrer-Policy", "no-referrer");
  response
    .type("html")
    .send(
      `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">` +
        `<meta name="color-scheme" content="light dark"><meta name="robots" content="noindex"><title>${title}</title></head>` +
        `<body><main><h1>${title}</h1>${content}</main></body></html>`,
    );
  return SENT;
}

// What XML 1.0 has no way to hold.
const NOT_XML = /[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/gu;
const ENTITIES: Record<string, string> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&apos;",
};

/** A text as it may stand in an XML element or attribute. */
export function escapeXml(text: string): string {
  return text.replace(NOT_XML, "").replace(/[&<>"']/g, (character) => ENTITIES[character] ?? "");
}

export const XML_HEAD = '<?xml version="1.0" encoding="UTF-8"?>\n';
