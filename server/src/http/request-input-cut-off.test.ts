import { once } from "node:events";
import { type AddressInfo, connect } from "node:net";
import express, { type ErrorRequestHandler, type RequestHandler } from "express";
import { expect, test } from "vitest";
import { ProblemError } from "./problem-error.ts";
import { readJsonBody } from "./request-input.ts";

test.each([
  ["of a known length", 'Content-Type: application/json\r\nContent-Length: 13\r\n\r\n{"amount":50}'],
  ["in chunks", "Transfer-Encoding: chunked\r\n\r\n"],
])(
  "When the sender hangs up before its body %s was read, then the request fails, and is not taken for one without a body",
  async (_case, rest) => {
    const ends: unknown[] = [];
    const caught: ErrorRequestHandler = (error, _request, _response, _next) => void ends.push(error);
    // As long as it may take to look at a token.
    const untilGone: RequestHandler = async (request, _response, next) => {
      await once(request.socket, "close").catch(() => undefined);
      next();
    };
    const read: RequestHandler = async (request, response) => {
      await readJsonBody(request, response);
      ends.push(request.body);
    };
    const app = express().use(untilGone, read).use(caught);
    const server = app.listen(0, "127.0.0.1");
    await once(server, "listening");
    const socket = connect((server.address() as AddressInfo).port, "127.0.0.1");
    socket.write(`PATCH / HTTP/1.1\r\nHost: x\r\n${rest}`);
    await once(server, "request");
    socket.destroy();
    await expect.poll(() => ends.length).toBe(1);
    server.close();
    expect(ends[0]).toBeInstanceOf(ProblemError);
    const message = "The request ended before its body had arrived.";
    expect(ends[0]).toMatchObject({ code: "bad-request", message });
  },
);
