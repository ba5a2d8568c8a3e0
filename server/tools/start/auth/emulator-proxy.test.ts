import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import express from "express";
import request from "supertest";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { emulatorProxy } from "./emulator-proxy.ts";

let emulator: Server;
let saved: string[] = [];
let save: () => Promise<void>;
const app = express();

beforeAll(async () => {
  emulator = createServer((incoming, response) => {
    let body = "";
    incoming.on("data", (chunk: Buffer) => {
      body += chunk.toString();
    });
    incoming.on("end", () => {
      saved.push(`responded ${incoming.url}`);
      response.setHeader("x-client-version", String(incoming.headers["x-client-version"]));
      response.statusCode = body.includes("teapot") ? 418 : 200;
      response.end(JSON.stringify({ body, host: incoming.headers.host }));
    });
  });
  await new Promise<void>((done) => emulator.listen(0, "127.0.0.1", done));
  const { port } = emulator.address() as AddressInfo;
  app.use(emulatorProxy(`127.0.0.1:${port}`, () => save()));
  app.use((_request, response) => void response.send("the product"));
});
afterAll(() => void emulator.close());
beforeEach(() => {
  saved = [];
  save = async () => {
    saved.push("saved");
  };
});

const SIGN_UP = "/identitytoolkit.googleapis.com/v1/accounts:signUp?key=demo";

test("When an account changes, then body, headers, host and status pass through unchanged once it is saved", async () => {
  const response = await request(app)
    .post(SIGN_UP)
    .set("x-client-version", "Chrome/JsCore")
    .set("host", "localhost:3000")
    .send({ email: "teapot@example.com" });
  expect(response.status).toBe(418);
  expect(response.headers["x-client-version"]).toBe("Chrome/JsCore");
  expect(JSON.parse(response.text)).toEqual({
    body: '{"email":"teapot@example.com"}',
    host: "localhost:3000",
  });
  expect(saved).toEqual([`responded ${SIGN_UP}`, "saved"]);
});

test("When the link of an email is opened, then the account is saved before the response is sent", async () => {
  const link = "/emulator/action?mode=verifyEmail&oobCode=x";
  expect((await request(app).get(link)).status).toBe(200);
  expect(saved).toEqual([`responded ${link}`, "saved"]);
});

test("When the accounts cannot be saved, then the change is not acknowledged", async () => {
  save = () => Promise.reject(new Error("disk full"));
  const response = await request(app).post(SIGN_UP).send({});
  expect(response.status).toBe(503);
  expect(response.body.error.message).toBe("The account could not be saved.");
});

test.each([
  ["post", "/identitytoolkit.googleapis.com/v1/accounts:lookup?key=demo"],
  ["post", "/securetoken.googleapis.com/v1/token?key=demo"],
  ["get", "/emulator/auth/handler"],
] as const)("When %s %s only reads, then nothing is saved", async (method, path) => {
  expect((await request(app)[method](path)).status).toBe(200);
  expect(saved).toEqual([`responded ${path}`]);
});

test("When a path does not belong to the emulator, then the product responds", async () => {
  expect((await request(app).get("/emulators")).text).toBe("the product");
});
