import type { Request, Response } from "express";
import { SENT, type Sent } from "./response-body.ts";

/** The product's name in the feed, the API documentation and the API's own pages; see also client/src/lib/site.ts. */
export const BRAND = "Tasklane";

/** Returns the public origin of the web app, for absolute links. */
export type SiteOrigin = (request: Pick<Request, "socket">) => string;

/** @param webUrl as configured; by default localhost with the port of the request, but never the Host header. */
export function siteOrigin(webUrl: string | undefined): SiteOrigin {
  return ({ socket }) => webUrl ?? `http://localhost:${socket.localPort}`;
}

/**
 * Sends an HTML page that needs neither the web app nor a login.
 * @param content HTML; text from users must be escaped.
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

// Characters that XML 1.0 does not allow.
const NOT_XML = /[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/gu;
const ENTITIES: Record<string, string> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&apos;",
};

/** Escapes text for an XML element or attribute, and removes characters that XML does not allow. */
export function escapeXml(text: string): string {
  return text.replace(NOT_XML, "").replace(/[&<>"']/g, (character) => ENTITIES[character] ?? "");
}

export const XML_HEAD = '<?xml version="1.0" encoding="UTF-8"?>\n';
