import { hash } from "node:crypto";
import type { Request } from "express";
import { ProblemError } from "./problem-error.ts";

/** What tells a repeated request from a new one: the caller's own key, and what was asked with it. */
export type RetryKey = { key: string; fingerprint: string };

const KEY = /^[\x21-\x7e]{1,200}$/;

/**
 * The `Idempotency-Key` of a request that creates something (draft-ietf-httpapi-idempotency-key-header), or undefined.
 * @param content what is to be created, as it was understood: the same key with other content is another request.
 * @throws {ProblemError} `bad-request` (400) for a key that is empty, too long or not plain ASCII.
 */
export function retryKey(
  request: Pick<Request, "headers" | "method" | "originalUrl">,
  content: unknown,
): RetryKey | undefined {
  const key = request.headers["idempotency-key"];
  if (key === undefined) return undefined;
  if (typeof key !== "string" || !KEY.test(key)) {
    throw new ProblemError("bad-request", {
      detail: "An Idempotency-Key has 1 to 200 visible ASCII characters, and no spaces.",
    });
  }
  const path = request.originalUrl.split("?", 1)[0];
  const fingerprint = hash("sha256", `${request.method} ${path} ${JSON.stringify(content)}`, "base64url");
  return { key, fingerprint };
}

/** Header of an answer that was given before, to the same request. */
export const REPLAYED = { "Idempotency-Replayed": "true" } as const;
