import express, { type Request, type RequestHandler } from "express";
import { refuseDeepJson, refuseHostileNames } from "./hostile-json.ts";
import { ProblemError } from "./problem-error.ts";

const parseJson = express.json({
  limit: "100kb",
  strict: true,
  type: "application/json",
  verify: (_request, _response, text) => refuseDeepJson(text),
});

/**
 * Reads a JSON body of at most 100 kB. A request without a body passes, with `body` undefined.
 * Mounted behind `requireUser`, so that nobody unknown makes the server read anything.
 * @throws {ProblemError} `not-json` (415) for any other content or charset, `invalid` (422) for names and nesting that no client of
 *   ours sends; body-parser's own errors for the rest.
 */
export const jsonBody: RequestHandler = (request, response, next) => {
  // Browsers send `Content-Length: 0` with an empty PATCH, which `is` takes for a body.
  const empty = request.headers["content-length"] === "0";
  if (!empty && request.is("application/json") === false) {
    throw new ProblemError("not-json", {
      detail: "Send the body as JSON, with Content-Type: application/json.",
    });
  }
  if (!empty) refuseOtherCharsets(request.headers["content-type"] ?? "");
  parseJson(request, response, (error?: unknown) => {
    if (error !== undefined) return next(error);
    // This is called from a stream, where a thrown error would reach nobody.
    let refused: unknown;
    try {
      // The parser skips what was broken off; an optional body must not count as none then.
      if (request.body === undefined && declaresBody(request)) throw brokenOff();
      refuseHostileNames(request.body);
    } catch (hostile) {
      refused = hostile;
    }
    next(refused);
  });
};

// JSON is UTF-8 (RFC 8259). The parser would decode UTF-7, 16 and 32, behind the back of checks that read the bytes.
function refuseOtherCharsets(contentType: string): void {
  for (const [, charset = ""] of contentType.matchAll(/;\s*charset\s*=\s*([^;]*)/gi)) {
    if (/^(?:utf-8|"utf-8")\s*$/i.test(charset)) continue;
    throw new ProblemError("not-json", { detail: "This charset is not supported, send UTF-8." });
  }
}

function declaresBody({ headers }: Pick<Request, "headers">): boolean {
  return headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0;
}

function brokenOff(): ProblemError {
  return new ProblemError("bad-request", { detail: "The request ended before its body had arrived." });
}
