import express, { type RequestHandler } from "express";
import { ProblemError } from "./problem-error.ts";

const parseJson = express.json({ limit: "100kb", strict: true, type: "application/json" });

/**
 * Reads a JSON body of at most 100 kB. A request without a body passes, with `body` undefined.
 * Mounted behind `requireUser`, so that nobody unknown makes the server read anything.
 * @throws {ProblemError} `not-json` (415) for any other content; body-parser's own errors for the rest.
 */
export const jsonBody: RequestHandler = (request, response, next) => {
  // Browsers send `Content-Length: 0` with an empty PATCH, which `is` takes for a body.
  const empty = request.headers["content-length"] === "0";
  if (!empty && request.is("application/json") === false) {
    throw new ProblemError("not-json", {
      detail: "Send the body as JSON, with Content-Type: application/json.",
    });
  }
  parseJson(request, response, next);
};
