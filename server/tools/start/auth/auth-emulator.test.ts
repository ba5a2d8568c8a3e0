import { randomUUID } from "node:crypto";
import { statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import express from "express";
import request from "supertest";
import { beforeAll, expect, onTestFinished, test, vi } from "vitest";
import { serving, testFirebase } from "../../../test/index.ts";
import { temporaryFolder } from "../../../test/temporary-folder.ts";
import { exportAccounts, importAccounts, readAccounts, writeAccounts } from "./accounts.ts";
import { emulatorProxy, startAuthEmulator } from "./auth-emulator.ts";

const API = "/identitytoolkit.googleapis.com/v1";
const USER = {
  localId: "ada",
  email: "ada@people.example",
  rawPassword: "Secret-pass-1",
  displayName: "Ada",
  emailVerified: true,
  customAttributes: '{"admin":true}',
  validSince: "1700000000",
};
const { emulatorHost: shared = "" } = testFirebase();

/** An emulator of its own, with what it sends to people. */
async function start(dataDir: string) {
  const mails: string[] = [];
  const emulator = await startAuthEmulator({ dataDir, onMail: (text) => mails.push(text) });
  onTestFinished(emulator.stop);
  const post = (path: string, body: object) =>
    request(`http://${emulator.host}`).post(`${API}/${path}`).set("authorization", "Bearer owner").send(body);
  return { ...emulator, mails, post };
}

// Starting it takes seconds of computing, and many more beside other work.
beforeAll(async () => (await startAuthEmulator()).stop(), 90_000);

test("When the emulator starts again, then accounts have kept password, claims, verified address and sessions", async () => {
  const dataDir = temporaryFolder();
  const first = await start(dataDir);
  await importAccounts(first.host, first.projectId, { users: [USER] });
  const kept = await exportAccounts(first.host, first.projectId);
  first.stop();
  const second = await start(dataDir);
  const { rawPassword: password, ...fields } = USER;
  const expected = { ...fields, passwordHash: kept.users[0]?.passwordHash };
  expect(await exportAccounts(second.host, second.projectId)).toEqual({
    users: [expect.objectContaining(expected)],
  });
  const { email } = USER;
  await second.post("accounts:signInWithPassword?key=any", { email, password }).expect(200);
}, 60_000);

test("When an account changes, also by the link of an email, then it is stored before the response, for this user only", async () => {
  const dataDir = temporaryFolder();
  expect(readAccounts(dataDir)).toBeUndefined();
  const { post, mails } = await start(dataDir);
  const { email } = USER;
  await post("accounts:signUp?key=any", { email, password: "Secret-pass-1" }).expect(200);
  const stored = () => readAccounts(dataDir)?.users[0];
  expect(stored()).toMatchObject({ email, passwordHash: expect.stringContaining("Secret-pass-1") });
  const modes = ["auth", "auth/accounts.json"].map((path) => statSync(join(dataDir, path)).mode & 0o777);
  expect(modes).toEqual([0o700, 0o600]);

  await post("accounts:sendOobCode?key=any", { requestType: "PASSWORD_RESET", email }).expect(200);
  const [, link = ""] = /follow this link: (\S+)/.exec(mails[0] ?? "") ?? [];
  await request(link.replace("NEW_PASSWORD_HERE", "Other-pass-2")).get("").expect(200);
  expect(stored()?.passwordHash).toContain("Other-pass-2");
});

test("When an account cannot be stored, then its change is not acknowledged, and the reason is shown", async () => {
  const dataDir = temporaryFolder();
  // A file where a folder would be.
  const { post } = await start(dataDir);
  writeFileSync(join(dataDir, "auth"), "");
  const written = vi.spyOn(process.stderr, "write").mockReturnValue(true);
  // Express reports the connection that was closed.
  vi.spyOn(console, "error").mockReturnValue();
  await expect(post("accounts:signUp?key=any", { email: USER.email })).rejects.toThrow(/aborted|hang up/);
  expect(written.mock.calls.flat().join("")).toContain("The account could not be saved");
});

test("When a write was interrupted, then the previous accounts are read", () => {
  const dataDir = temporaryFolder();
  writeAccounts(dataDir, { users: [{ localId: "before" }] });
  writeFileSync(join(dataDir, "auth", "accounts.json.new"), '{"users":[{"loc');
  expect(readAccounts(dataDir)).toEqual({ users: [{ localId: "before" }] });
});

test("When a fixed port is taken, then that is said", async () => {
  const port = Number(shared.split(":")[1]);
  await expect(startAuthEmulator({ port })).rejects.toThrow(`cannot use port ${port}`);
});

test.each([
  ["the product's own page, through its proxy", "http://localhost:3000", "localhost:3000", 200],
  ["a program", undefined, undefined, 200],
  ["another site's page", "https://evil.example", undefined, 403],
  ["another site's page, through the product's proxy", "https://evil.example", "localhost:3000", 403],
  ["a page whose origin is hidden", "null", undefined, 403],
  ["a page whose name was made to lead here", "http://evil.example:9099", "evil.example:9099", 403],
  ["the same, with a request that has no origin", undefined, "evil.example:9099", 403],
])(
  "When %s asks the emulator for its accounts, then the status is right",
  async (_, origin, host, status) => {
    const path = `${API}/projects/demo-${randomUUID()}/accounts:query`;
    const headers = { authorization: "Bearer owner", ...(host && { host }), ...(origin && { origin }) };
    await request(`http://${shared}`).post(path).set(headers).send({}).expect(status);
  },
);

test("When the product serves the emulator, then only its paths are forwarded, with body and host", async () => {
  const { port } = await serving(async (incoming, response) => {
    const body = (await incoming.toArray()).join("");
    response.writeHead(418).end(`${incoming.headers.host} ${incoming.url} ${body}`);
  });
  const app = express();
  app.use(emulatorProxy(`127.0.0.1:${port}`));
  app.use((_request, response) => void response.send("the product"));
  const response = await request(app).post(`${API}/accounts`).set("host", "localhost:3000").send({ a: 1 });
  expect([response.status, response.text]).toEqual([418, `localhost:3000 ${API}/accounts {"a":1}`]);
  expect((await request(app).get("/emulators")).text).toBe("the product");
});
