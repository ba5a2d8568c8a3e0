import { CancelledError, focusManager, QueryObserver } from "@tanstack/react-query";
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import * as z from "zod/mini";
import { createFakeApi } from "../testing/fake-api.ts";
import { apiStatus } from "./api-status.ts";
import { ApiProblem, offlineProblem } from "./problem.ts";
import { createQueryClient, withMutations } from "./query-client.ts";

const schema = z.string();
const shed = (retryAfter: number) => new ApiProblem("unavailable", 503, "Later.", { retryAfter });

beforeEach(() => {
  vi.useFakeTimers();
  apiStatus.markUp();
});
afterEach(() => {
  apiStatus.markUp();
  vi.useRealTimers();
});

/** An API that fails as told, one after the other, or responds where that is null, and then always responds. */
function over(...failures: (Error | null)[]) {
  const fake = createFakeApi(() => {
    const failure = failures.shift();
    if (failure) throw failure;
    return { data: "fine" };
  });
  const queryClient = createQueryClient();
  const api = withMutations(fake, queryClient);
  const read = () => queryClient.fetchQuery({ queryKey: ["a"], queryFn: () => api.call("/a", { schema }) });
  return { fake, api, queryClient, read };
}

/** What became of a call, however long it waited. */
async function outcome(call: Promise<unknown>): Promise<unknown> {
  const settled = call.then(
    () => "fine",
    (error: unknown) => (error instanceof ApiProblem ? error.code : error),
  );
  await vi.advanceTimersByTimeAsync(60_000);
  return settled;
}

describe("a read", () => {
  it("When it fails twice, then it is sent a third time, and nobody hears of it", async () => {
    const { fake, read } = over(offlineProblem(), offlineProblem());
    const down = vi.spyOn(apiStatus, "markDown");
    expect(await outcome(read())).toBe("fine");
    expect(fake.calls).toHaveLength(3);
    expect(down).not.toHaveBeenCalled();
  });

  it("When it goes on failing, then there is an outage, and the next read is not repeated", async () => {
    const { fake, read } = over(...Array.from({ length: 9 }, () => offlineProblem()));
    expect(await outcome(read())).toBe("offline");
    expect(fake.calls).toHaveLength(3);
    expect(apiStatus.outage()).toEqual({ kind: "connection", retryAfter: undefined });
    expect(await outcome(read())).toBe("offline");
    expect(fake.calls).toHaveLength(4);
  });

  it("When it timed out, then nobody is kept waiting for as long again", async () => {
    const { fake, read } = over(offlineProblem({ timedOut: true }));
    expect(await outcome(read())).toBe("offline");
    expect(fake.calls).toHaveLength(1);
  });

  it("When the server names a time, then nothing is sent before; a long one is not waited for here", async () => {
    const { fake, read } = over(shed(2));
    const call = read();
    await vi.advanceTimersByTimeAsync(1_990);
    expect(fake.calls).toHaveLength(1);
    expect(await outcome(call)).toBe("fine");

    const long = over(shed(60));
    expect(await outcome(long.read())).toBe("unavailable");
    expect(long.fake.calls).toHaveLength(1);
    expect(apiStatus.outage()).toEqual({ kind: "server", retryAfter: 60 });
  });

  it("When the server refuses, then it is not repeated, and there is no outage", async () => {
    const { fake, read } = over(new ApiProblem("too-many-requests", 429, "Slowly.", { retryAfter: 1 }));
    expect(await outcome(read())).toBe("too-many-requests");
    expect(fake.calls).toHaveLength(1);
    expect(apiStatus.outage()).toBeNull();
  });

  it("When a response comes after all, then the outage is over", async () => {
    apiStatus.markDown("connection");
    expect(await outcome(over().read())).toBe("fine");
    expect(apiStatus.outage()).toBeNull();
  });
});

describe("what is on the screen", () => {
  const show = (queryFn: () => Promise<string>) => {
    const queryClient = createQueryClient();
    queryClient.mount();
    onTestFinished(() => queryClient.unmount());
    return () => new QueryObserver(queryClient, { queryKey: ["a"], queryFn }).subscribe(() => undefined);
  };

  it("When it is out of date, then a look at the window reads nothing, and the end of an outage reads it again", async () => {
    const read = vi.fn(async () => "fine");
    show(read)();
    await vi.advanceTimersByTimeAsync(3_000);
    focusManager.setFocused(false);
    focusManager.setFocused(true);
    onTestFinished(() => focusManager.setFocused(undefined));
    await vi.advanceTimersByTimeAsync(1_000);
    expect(read).toHaveBeenCalledTimes(1);
    apiStatus.markDown("connection");
    apiStatus.markUp();
    await vi.advanceTimersByTimeAsync(1_000);
    expect(read).toHaveBeenCalledTimes(2);
  });

  it("When it could not be read, then showing it once more does not ask again", async () => {
    const read = vi.fn(async (): Promise<string> => {
      throw new ApiProblem("wrong-state", 409, "No.");
    });
    const look = show(read);
    const leave = look();
    await vi.advanceTimersByTimeAsync(1_000);
    leave();
    look();
    await vi.advanceTimersByTimeAsync(1_000);
    expect(read).toHaveBeenCalledTimes(1);
  });
});

describe("a write", () => {
  const unknown = (retryAfter = 2) => new ApiProblem("outcome-unknown", 503, "Unsure.", { retryAfter });
  const send = ({ api }: ReturnType<typeof over>, more = {}) =>
    outcome(api.call("/w", { method: "DELETE", auth: "required", schema, ...more }));
  const keysOf = ({ fake }: ReturnType<typeof over>) =>
    fake.calls.map(({ headers }) => headers?.["Idempotency-Key"]);

  it("When its outcome is unknown, then it is repeated with the same key, and there is no outage", async () => {
    const tab = over(unknown());
    expect(await send(tab)).toBe("fine");
    const [first, second, ...more] = keysOf(tab);
    expect(first).toMatch(/^[0-9a-f]{32}$/);
    expect([second, more]).toEqual([first, []]);
  });

  it("When it has a key of its own, then that one is sent each time", async () => {
    const tab = over(offlineProblem());
    expect(await send(tab, { headers: { "Idempotency-Key": "k1" } })).toBe("fine");
    expect(keysOf(tab)).toEqual(["k1", "k1"]);
  });

  it("When its outcome stays unknown, then that is said, and the next press of the button sends the same key", async () => {
    const tab = over(unknown(), unknown(), unknown());
    expect(await send(tab)).toBe("outcome-unknown");
    expect(apiStatus.outage()).toBeNull();
    expect(await send(tab)).toBe("fine");
    expect(new Set(keysOf(tab)).size).toBe(1);
  });

  it.each([
    ["session-expired", 401],
    ["too-many-requests", 429],
    ["internal", 500],
  ] as const)(
    "When its outcome is unknown and the next try ends with %s, then the third still has the same key",
    async (code, status) => {
      const tab = over(unknown(), unknown(), unknown(), new ApiProblem(code, status, "No."));
      for (const result of ["outcome-unknown", code, "fine"]) expect(await send(tab)).toBe(result);
      expect(new Set(keysOf(tab)).size).toBe(1);
    },
  );

  it("When it was refused, or something else is sent, then that has a key of its own", async () => {
    const tab = over(unknown(), unknown(), unknown(), new ApiProblem("wrong-state", 409, "No."));
    expect(await send(tab)).toBe("outcome-unknown");
    const [first] = keysOf(tab);
    expect(await send(tab, { body: 1 })).toBe("wrong-state");
    expect(await send(tab, { body: 1 })).toBe("fine");
    const [other, again] = keysOf(tab).slice(3);
    expect(new Set([first, other, again]).size).toBe(3);
  });

  it("When something else was done in between, then the same write is a new one, and not taken as done", async () => {
    const tab = over(unknown(), unknown(), unknown());
    expect(await send(tab, { body: "pause" })).toBe("outcome-unknown");
    expect(await send(tab, { body: "resume" })).toBe("fine");
    expect(await send(tab, { body: "pause" })).toBe("fine");
    const [first, , , resumed, again] = keysOf(tab);
    expect(new Set([first, resumed, again]).size).toBe(3);
  });

  it("When no response comes, then there is an outage; when the server sheds it, then that is told by its form", async () => {
    expect(await send(over(...Array.from({ length: 3 }, () => shed(0))))).toBe("unavailable");
    expect(apiStatus.outage()).toBeNull();
    expect(await send(over(...Array.from({ length: 3 }, () => offlineProblem())))).toBe("offline");
    expect(apiStatus.outage()?.kind).toBe("connection");
  });

  it("When it is done or refused, then what was read before is not used again, not even if it is on its way", async () => {
    for (const failure of [undefined, new ApiProblem("wrong-state", 409, "No.")]) {
      const tab = over();
      await tab.read();
      const late = tab.queryClient
        .fetchQuery({ queryKey: ["late"], queryFn: () => new Promise<string>(() => undefined) })
        .catch((error: unknown) => error);
      if (failure) tab.fake.call = async () => Promise.reject(failure);
      await send(tab);
      expect(await late).toBeInstanceOf(CancelledError);
      expect(tab.queryClient.getQueryData(["a"])).toBeUndefined();
    }
  });

  it("When it is done, then what is on the screen is read again; when it was refused, that is only out of date", async () => {
    for (const failure of [undefined, new ApiProblem("wrong-state", 409, "No.")]) {
      const tab = over();
      const read = vi.fn(async () => "fine");
      const observer = new QueryObserver(tab.queryClient, { queryKey: ["shown"], queryFn: read });
      const stop = observer.subscribe(() => undefined);
      await vi.advanceTimersByTimeAsync(0);
      await tab.read();
      if (failure) tab.fake.call = async () => Promise.reject(failure);
      await send(tab);
      expect(read).toHaveBeenCalledTimes(failure ? 1 : 2);
      expect(tab.queryClient.getQueryState(["shown"])?.isInvalidated).toBe(failure !== undefined);
      expect(tab.queryClient.getQueryData(["shown"])).toBe("fine");
      expect(tab.queryClient.getQueryData(["a"])).toBeUndefined();
      stop();
    }
  });

  it("When it is done, then what is shown without being read there stays, out of date", async () => {
    const tab = over();
    const { data } = await tab.read();
    const observer = new QueryObserver<typeof data>(tab.queryClient, { queryKey: ["a"], enabled: false });
    const stop = observer.subscribe(() => undefined);
    await send(tab);
    expect(tab.queryClient.getQueryData(["a"])).toMatchObject({ data });
    expect(tab.queryClient.getQueryState(["a"])?.isInvalidated).toBe(true);
    expect(tab.fake.calls.filter(({ path }) => path === "/a")).toHaveLength(1);
    stop();
  });

  it("When two are on their way at the same path, then the one that ends does not make the other a new one", async () => {
    const tab = over(unknown(1), unknown(3), null, unknown(3), unknown(3));
    const both = [send(tab, { body: 1 }), send(tab, { body: 2 })];
    expect(await Promise.all(both)).toEqual(["fine", "outcome-unknown"]);
    expect(await send(tab, { body: 2 })).toBe("fine");
    expect(tab.fake.calls.map(({ body }) => body)).toEqual([1, 2, 1, 2, 2, 2]);
    const [first, second, ...more] = keysOf(tab);
    expect(first).not.toBe(second);
    expect(more).toEqual([first, second, second, second]);
  });

  it("When the same is sent twice at once, then it is one write, and both learn that it is done", async () => {
    const tab = over();
    expect(await Promise.all([send(tab), send(tab)])).toEqual(["fine", "fine"]);
    expect(new Set(keysOf(tab)).size).toBe(1);
  });

  it("When it changes nothing that was read, then that is kept", async () => {
    const tab = over();
    await tab.read();
    await send(tab, { keepsCache: true });
    expect(tab.queryClient.getQueryData(["a"])).toBeDefined();
  });
});
