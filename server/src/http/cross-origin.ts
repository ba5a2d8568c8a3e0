import cors from "cors";
import type { Request, RequestHandler } from "express";
import { ProblemError } from "./problem-error.ts";

const PREFLIGHT_CACHE_S = 600;
const VARY = "Origin, Authorization, Accept-Encoding";

/**
 * Lets browsers on the listed origins call the API. Others get no CORS headers, so their browser keeps the answer
 * from them, and their preflights are refused; there are no cookies that they could make it send.
 */
export function crossOrigin(origins: string[]): RequestHandler {
  const allow = cors({
    origin: origins,
    methods: ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"],
    allowedHeaders: [
      "Authorization",
      "Content-Type",
      "Last-Event-ID",
      "Idempotency-Key",
      "If-Match",
      "Last-Event-ID",
    ],
    exposedHeaders: [
      "ETag",
      "Idempotency-Replayed",
      "Link",
      "Location",
      "RateLimit",
      "RateLimit-Policy",
      "Retry-After",
      "X-Request-Id",
      "X-Total-Count",
      "X-Total-Count-Is",
      "X-Unread-Count",
      "X-Unsettled-Count",
    ],
    maxAge: PREFLIGHT_CACHE_S,
  });
  return (request, response, next) => {
    // All that answers of the API depend on, said once: each later addition would be parsed and put together again.
    response.setHeader("Vary", VARY);
    const { origin } = request.headers;
    if (isPreflight(request) && !origins.includes(origin ?? "")) throw new ProblemError("origin-not-allowed");
    if (origin !== undefined || request.method === "OPTIONS") return allow(request, response, next);
    // Our own pages and programs that are no browser: there is nobody to tell but caches.
    next();
  };
}

function isPreflight({ method, headers }: Request): boolean {
  return method === "OPTIONS" && headers["access-control-request-method"] !== undefined;
}
