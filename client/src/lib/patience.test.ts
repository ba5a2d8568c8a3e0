import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import * as z from "zod/mini";
import { createFakeApi } from "../testing/fake-api.ts";
import { createPatience } from "./patience.ts";
import { ApiProblem, offlineProblem } from "./problem.ts";
import { reach } from "./reach.ts";

const answer = z.string();
const shed = (retryAfter: number) => new ApiProblem("unavailable", 503, "Later.", { retryAfter });

beforeEach(() => {
  vi.useFakeTimers();
  reach.back();
});
afterEach(() => {
  reach.back();
  vi.useRealTimers();
});

/** An API that fails as told, one after the other, and then answers. */
function over(...failures: Error[]) {
  const api = createFakeApi(() => {
    const failure = failures.shift();
    if (failure) throw failure;
    return { data: "fine" };
  });
  return { api, patient: createPatience(api) };
}

/** What became of a call, however long it waited. */
async function outcome(call: Promise<unknown>): Promise<unknown> {
  const settled = call.then(
    () => "answered",
    (error: unknown) => (error instanceof ApiProblem ? error.code : error),
  );
  await vi.runAllTimersAsync();
  return settled;
}

describe("calls that fail for want of an answer", () => {
  it("When a read fails twice, then it is asked a third time, and nobody hears of it", async () => {
    const { api, patient } = over(offlineProblem(), offlineProblem());
    const lost = vi.spyOn(reach, "lost");
    expect(await outcome(patient.call("/a", { answer }))).toBe("answered");
    expect(api.calls).toHaveLength(3);
    expect(lost).not.toHaveBeenCalled();
  });

  it("When it goes on failing, then it is given up, and known that the API is away", async () => {
    const { api, patient } = over(...Array.from({ length: 9 }, () => offlineProblem()));
    expect(await outcome(patient.call("/a", { answer }))).toBe("offline");
    expect(api.calls).toHaveLength(3);
    expect(reach.trouble()).not.toBeNull();
    // Once that is known, nobody is kept waiting for it again.
    expect(await outcome(patient.call("/a", { answer }))).toBe("offline");
    expect(api.calls).toHaveLength(4);
  });

  it.each(["POST", "PUT", "PATCH", "DELETE"] as const)(
    "When a %s fails, then it is not sent again: it may have been done",
    async (method) => {
      const { api, patient } = over(offlineProblem());
      expect(await outcome(patient.call("/a", { method, answer }))).toBe("offline");
      expect(api.calls).toHaveLength(1);
    },
  );

  it("When a POST has a key that makes it happen once, then it is sent again with the same", async () => {
    const { api, patient } = over(offlineProblem());
    const headers = { "Idempotency-Key": "k1" };
    expect(await outcome(patient.call("/a", { method: "POST", answer, headers }))).toBe("answered");
    expect(api.calls.map((call) => call.headers)).toEqual([headers, headers]);
  });

  describe("a write of somebody signed in", () => {
    const unknown = () => new ApiProblem("outcome-unknown", 503, "Unsure.", { retryAfter: 2 });
    const write = { method: "DELETE", path: "/a", auth: "required", answer } as const;
    const send = ({ patient }: ReturnType<typeof over>, more = {}) =>
      outcome(patient.call(write.path, { ...write, ...more }));
    const keysOf = ({ api }: ReturnType<typeof over>) =>
      api.calls.map(({ headers }) => headers?.["Idempotency-Key"]);

    it("When its outcome is unknown, then it is sent again with the same key, and the API counts as there", async () => {
      const tab = over(unknown());
      expect(await send(tab)).toBe("answered");
      const [first, second, ...more] = keysOf(tab);
      expect(first).toMatch(/^[0-9a-f]{32}$/);
      expect([second, more]).toEqual([first, []]);
    });

    it("When it stays unknown, then that is said, and the next press of the button asks with the same key", async () => {
      const tab = over(unknown(), unknown(), unknown());
      expect(await send(tab)).toBe("outcome-unknown");
      expect(reach.trouble()).toBeNull();
      expect(await send(tab)).toBe("answered");
      expect(new Set(keysOf(tab)).size).toBe(1);
    });

    it("When it was answered, or something else is sent, then that has a key of its own", async () => {
      const tab = over(unknown(), unknown(), unknown(), new ApiProblem("wrong-state", 409, "No."));
      expect(await send(tab)).toBe("outcome-unknown");
      const [first] = keysOf(tab);
      expect(await send(tab, { path: "/b", body: 1 })).toBe("wrong-state");
      expect(await send(tab, { path: "/b", body: 1 })).toBe("answered");
      const [other, again] = keysOf(tab).slice(3);
      expect(new Set([first, other, again]).size).toBe(3);
    });
  });

  it("When the server names a time, then nothing is asked before; a long one is not waited for here", async () => {
    const { api, patient } = over(shed(2));
    const call = patient.call("/a", { answer });
    await vi.advanceTimersByTimeAsync(1_990);
    expect(api.calls).toHaveLength(1);
    expect(await outcome(call)).toBe("answered");

    const long = over(shed(60));
    expect(await outcome(long.patient.call("/a", { answer }))).toBe("unavailable");
    expect(long.api.calls).toHaveLength(1);
    expect(reach.trouble()).toEqual({ kind: "server", retryAfter: 60 });
  });

  it("When the server refuses, then that is the answer", async () => {
    const { api, patient } = over(new ApiProblem("too-many-requests", 429, "Slowly.", { retryAfter: 1 }));
    expect(await outcome(patient.call("/a", { answer }))).toBe("too-many-requests");
    expect(api.calls).toHaveLength(1);
    expect(reach.trouble()).toBeNull();
  });

  it("When the page is left while waiting, then nothing is asked any more", async () => {
    const { api, patient } = over(offlineProblem());
    const leaving = new AbortController();
    const call = outcome(patient.call("/a", { answer, signal: leaving.signal }));
    leaving.abort();
    expect(await call).toMatchObject({ name: "AbortError" });
    expect(api.calls).toHaveLength(1);
    expect(reach.trouble()).toBeNull();
  });

  it.each(["POST", "PUT", "PATCH", "DELETE"] as const)(
    "When a %s is answered by 503, then that is a refusal and no trouble of the connection",
    async (method) => {
      const { patient } = over(...Array.from({ length: 3 }, () => shed(0)));
      const headers = { "Idempotency-Key": "k1" };
      expect(await outcome(patient.call("/a", { method, answer, headers }))).toBe("unavailable");
      expect(reach.trouble()).toBeNull();
    },
  );

  it("When an answer comes after all, then it is known that the API is back", async () => {
    reach.lost("connection");
    const { patient } = over();
    await outcome(patient.call("/a", { answer }));
    expect(reach.trouble()).toBeNull();
  });
});
