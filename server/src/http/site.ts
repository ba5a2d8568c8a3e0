import type { Request } from "express";

/** What the feed, the documentation and the pages of the API call the product; client/src/lib/site.ts says it for the web app. */
export const BRAND = "Tasklane";

/** The public origin of the web app, for links that leave it. */
export type SiteOrigin = (request: Pick<Request, "socket">) => string;

/** @param webUrl as configured; without it, this machine at the port that the request came to: never the Host header. */
export function siteOrigin(webUrl: string | undefined): SiteOrigin {
  return ({ socket }) => webUrl ?? `http://localhost:${socket.localPort}`;
}
