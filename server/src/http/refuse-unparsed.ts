import { randomUUID } from "node:crypto";
import { STATUS_CODES } from "node:http";
import type { Duplex } from "node:stream";
import { ERRORS, type ErrorCode, type Problem, problemType } from "../contract/index.ts";

type Refusal = { code: ErrorCode; detail: string };

const REFUSALS: Record<string, Refusal> = {
  HPE_HEADER_OVERFLOW: {
    code: "headers-too-large",
    detail: "The address and the headers of a request can have at most 16 kB together.",
  },
  ERR_HTTP_REQUEST_TIMEOUT: {
    code: "too-slow",
    detail: "The request did not arrive in time, please send it again.",
  },
};
const NO_HTTP: Refusal = { code: "bad-request", detail: "This is not a request as HTTP/1.1 has them." };

// Who does not read the answer either is not waited for.
const PARTING_MS = 1_000;

/**
 * Answers what is no HTTP, too large or too slow, and so never becomes a request: a problem document like any other, and
 * the end of the connection. A listener of `clientError`.
 */
export function refuseUnparsed(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (error.code === "ECONNRESET" || !socket.writable) {
    socket.destroy();
    return;
  }
  socket.end(answerOf(REFUSALS[error.code ?? ""] ?? NO_HTTP));
  setTimeout(() => socket.destroy(), PARTING_MS).unref();
}

function answerOf({ code, detail }: Refusal): string {
  const { status, title } = ERRORS[code];
  const requestId = randomUUID();
  const problem: Problem = { type: problemType(code), title, status, detail, code, requestId };
  const body = JSON.stringify(problem);
  return [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    "Connection: close",
    "Content-Type: application/problem+json; charset=utf-8",
    `Content-Length: ${Buffer.byteLength(body)}`,
    "Cache-Control: no-store",
    "X-Content-Type-Options: nosniff",
    `X-Request-Id: ${requestId}`,
    "",
    body,
  ].join("\r\n");
}
