import type { Response } from "express";
import { SENT, type Sent } from "./send-stream.ts";

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
