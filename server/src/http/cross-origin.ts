import cors from "cors";
import { type RequestHandler, Router } from "express";
import { ProblemError } from "./problem-error.ts";

const PREFLIGHT_CACHE_S = 600;

/**
 * Lets browsers on the listed origins call the API. Others get no CORS headers, so their browser keeps the answer
 * from them, and their preflights are refused; there are no cookies that they could make it send.
 */
export function crossOrigin(origins: string[]): RequestHandler {
  const refuseUnknownPreflight: RequestHandler = (request, _response, next) => {
    const preflight = request.method === "OPTIONS" && request.headers["access-control-request-method"];
    if (preflight && !origins.includes(request.headers.origin ?? ""))
      throw new ProblemError("origin-not-allowed");
    next();
  };
  return Router().use(
    refuseUnknownPreflight,
    cors({
      origin: origins,
      methods: ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"],
      allowedHeaders: ["Authorization", "Content-Type"],
      exposedHeaders: [
        "Link",
        "Location",
        "Retry-After",
        "X-Request-Id",
        "X-Total-Count",
        "X-Total-Count-Is",
      ],
      maxAge: PREFLIGHT_CACHE_S,
    }),
  );
}
