import { expect, test } from "vitest";
import { aTaskDraft, expectProblem, makeOperator, type Person, useHarness } from "../../test/index.ts";
import { TokenRejected } from "../auth/token-verifier.ts";

const thoroughFlags: (boolean | undefined)[] = [];
// The token is valid for reading, but a thorough check finds its session revoked.
const harness = useHarness({
  verifier: {
    async verify(_token, { thorough } = {}) {
      thoroughFlags.push(thorough);
      if (thorough) throw new TokenRejected("revoked");
      const loggedInAt = new Date();
      const tokenExpiresAt = new Date(Date.now() + 3_600_000);
      return { uid: "ada", email: "ada@people.example", name: "Ada", loggedInAt, tokenExpiresAt };
    },
  },
});
const ada: Person = { uid: "ada", email: "ada@people.example", name: "Ada", token: "a.b.c" };

test("When a session was revoked, then every write is rejected, and the provider is asked for writes only", async () => {
  const id = "0123456789abcdef01234567";
  await harness.read("/tasks?limit=1", ada);
  expect(thoroughFlags).toEqual([false]);
  const writes = [
    harness.as(ada).post("/tasks", aTaskDraft()),
    harness.as(ada).put(`/tasks/${id}`, aTaskDraft()),
    harness.as(ada).patch(`/tasks/${id}/bid`),
    harness.as(ada).delete(`/tasks/${id}`),
  ];
  for (const write of writes) {
    const response = await write;
    expectProblem(response, "session-expired");
    expect(response.headers["www-authenticate"]).toBe('Bearer error="invalid_token"');
  }
  expect(thoroughFlags.slice(1)).toEqual([true, true, true, true]);
  expect(await harness.database.tasks.countDocuments()).toBe(0);
});

test("When an operator's session was revoked, then they can no longer read anything, since they see more than others everywhere", async () => {
  for (const path of ["/operators/queue", "/operators/log", "/reports"])
    expectProblem(await harness.as(ada).get(path), "session-expired");
  await makeOperator(harness.database, ada);
  expectProblem(await harness.as(ada).get("/tasks?limit=1"), "session-expired");
});
