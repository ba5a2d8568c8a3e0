import { CancelledError, focusManager, QueryObserver } from "@tanstack/react-query";
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { createFakeApi } from "../testing/fake-api.ts";
import { apiStatus } from "./api-status.ts";
import { ApiProblem, offlineProblem } from "./problem.ts";
import { createQueryClient, withMutations } from "./query-client.ts";

const unavailable = (retryAfter: number) => new ApiProblem("unavailable", 503, "Later.", { retryAfter });

beforeEach(() => {
  vi.useFakeTimers();
  apiStatus.markUp();
});
afterEach(() => {
  apiStatus.markUp();
  vi.useRealTimers();
});

/** A tab whose API calls fail with these errors, one after the other (null: succeed), and then always succeed. */
function openTab(...failures: (Error | null)[]) {
  const fake = createFakeApi(({ method }) => {
    const failure = failures.shift();
    if (failure) throw failure;
    return { data: method === "GET" ? [] : { acknowledged: true, deletedCount: 1 } };
  });
  const queryClient = createQueryClient();
  const api = withMutations(fake, queryClient);
  const read = () =>
    queryClient.fetchQuery({ queryKey: ["a"], queryFn: () => api.call("GET /me/saved/ids", {}) });
  return { fake, api, queryClient, read };
}

/** The outcome of a call: "fine", a problem's code or the error. */
async function outcome(call: Promise<unknown>): Promise<unknown> {
  const settled = call.then(
    () => "fine",
    (error: unknown) => (error instanceof ApiProblem ? error.code : error),
  );
  await vi.advanceTimersByTimeAsync(60_000);
  return settled;
}

describe("a read", () => {
  it("When it fails twice, then it is sent a third time, and no outage is reported", async () => {
    const { fake, read } = openTab(offlineProblem(), offlineProblem());
    const down = vi.spyOn(apiStatus, "markDown");
    expect(await outcome(read())).toBe("fine");
    expect(fake.calls).toHaveLength(3);
    expect(down).not.toHaveBeenCalled();
  });

  it("When it keeps failing, then there is an outage, and the next read is not retried", async () => {
    const { fake, read } = openTab(...Array.from({ length: 9 }, () => offlineProblem()));
    expect(await outcome(read())).toBe("offline");
    expect(fake.calls).toHaveLength(3);
    expect(apiStatus.outage()).toEqual({ kind: "connection", retryAfter: undefined });
    expect(await outcome(read())).toBe("offline");
    expect(fake.calls).toHaveLength(4);
  });

  it("When it timed out, then it is not retried", async () => {
    const { fake, read } = openTab(offlineProblem({ timedOut: true }));
    expect(await outcome(read())).toBe("offline");
    expect(fake.calls).toHaveLength(1);
  });

  it("When the server sends Retry-After, then the retry waits that long; after a long one there is an outage instead", async () => {
    const { fake, read } = openTab(unavailable(2));
    const call = read();
    await vi.advanceTimersByTimeAsync(1_990);
    expect(fake.calls).toHaveLength(1);
    expect(await outcome(call)).toBe("fine");

    const long = openTab(unavailable(60));
    expect(await outcome(long.read())).toBe("unavailable");
    expect(long.fake.calls).toHaveLength(1);
    expect(apiStatus.outage()).toEqual({ kind: "server", retryAfter: 60 });
  });

  it("When the server rejects it, then it is not retried, and there is no outage", async () => {
    const { fake, read } = openTab(new ApiProblem("too-many-requests", 429, "Slowly.", { retryAfter: 1 }));
    expect(await outcome(read())).toBe("too-many-requests");
    expect(fake.calls).toHaveLength(1);
    expect(apiStatus.outage()).toBeNull();
  });

  it("When it succeeds during an outage, then the outage is over", async () => {
    apiStatus.markDown("connection");
    expect(await outcome(openTab().read())).toBe("fine");
    expect(apiStatus.outage()).toBeNull();
  });

  it("When its response arrives after the browser went offline, then the outage goes on", async () => {
    vi.spyOn(navigator, "onLine", "get").mockReturnValue(false);
    apiStatus.markDown("connection");
    expect(await outcome(openTab().read())).toBe("fine");
    expect(apiStatus.outage()).not.toBeNull();
  });
});

describe("a visible query", () => {
  const show = (queryFn: () => Promise<string>) => {
    const queryClient = createQueryClient();
    queryClient.mount();
    onTestFinished(() => queryClient.unmount());
    return () => new QueryObserver(queryClient, { queryKey: ["a"], queryFn }).subscribe(() => undefined);
  };

  it("When it is stale, then focusing the window does not refetch it, but the end of an outage does", async () => {
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

  it("When it has failed, then mounting it again does not refetch it", async () => {
    const read = vi.fn(async (): Promise<string> => {
      throw new ApiProblem("wrong-state", 409, "No.");
    });
    const mount = show(read);
    const unmount = mount();
    await vi.advanceTimersByTimeAsync(1_000);
    unmount();
    mount();
    await vi.advanceTimersByTimeAsync(1_000);
    expect(read).toHaveBeenCalledTimes(1);
  });
});

describe("a write", () => {
  const unknown = (retryAfter = 2) => new ApiProblem("outcome-unknown", 503, "Unsure.", { retryAfter });
  const send = ({ api }: ReturnType<typeof openTab>, options = {}) =>
    outcome(api.call("DELETE /tasks/:id", { params: { id: "w" }, ...options }));
  const keysOf = ({ fake }: ReturnType<typeof openTab>) =>
    fake.calls.map(({ headers }) => headers?.["Idempotency-Key"]);

  it("When its outcome is unknown, then it is retried with the same key, and there is no outage", async () => {
    const tab = openTab(unknown());
    expect(await send(tab)).toBe("fine");
    const [first, second, ...more] = keysOf(tab);
    expect(first).toMatch(/^[0-9a-f]{32}$/);
    expect([second, more]).toEqual([first, []]);
  });

  it("When the caller passes a key, then that one is sent each time", async () => {
    const tab = openTab(offlineProblem());
    expect(await send(tab, { idempotencyKey: "k1" })).toBe("fine");
    expect(keysOf(tab)).toEqual(["k1", "k1"]);
  });

  it("When its outcome stays unknown, then it fails, and sending it again uses the same key", async () => {
    const tab = openTab(unknown(), unknown(), unknown());
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
    "When its outcome is unknown and the next attempt ends with %s, then the third still has the same key",
    async (code, status) => {
      const tab = openTab(unknown(), unknown(), unknown(), new ApiProblem(code, status, "No."));
      for (const result of ["outcome-unknown", code, "fine"]) expect(await send(tab)).toBe(result);
      expect(new Set(keysOf(tab)).size).toBe(1);
    },
  );

  it("When it may be carried out twice, then only its retries have the same key", async () => {
    const tab = openTab(unknown(), unknown(), unknown());
    expect(await send(tab, { isRepeatable: true })).toBe("outcome-unknown");
    expect(await send(tab, { isRepeatable: true })).toBe("fine");
    const [first, second, third, again] = keysOf(tab);
    expect([second, third]).toEqual([first, first]);
    expect(again).not.toBe(first);
  });

  it("When it was rejected, or a different write is sent, then that has a new key", async () => {
    const tab = openTab(unknown(), unknown(), unknown(), new ApiProblem("wrong-state", 409, "No."));
    expect(await send(tab)).toBe("outcome-unknown");
    const [first] = keysOf(tab);
    expect(await send(tab, { body: 1 })).toBe("wrong-state");
    expect(await send(tab, { body: 1 })).toBe("fine");
    const [other, again] = keysOf(tab).slice(3);
    expect(new Set([first, other, again]).size).toBe(3);
  });

  it("When a different write was sent in between, then the same write has a new key, so it is carried out", async () => {
    const tab = openTab(unknown(), unknown(), unknown());
    expect(await send(tab, { body: "pause" })).toBe("outcome-unknown");
    expect(await send(tab, { body: "resume" })).toBe("fine");
    expect(await send(tab, { body: "pause" })).toBe("fine");
    const [first, , , resumed, again] = keysOf(tab);
    expect(new Set([first, resumed, again]).size).toBe(3);
  });

  it("When there is no response, then there is an outage; when the server responds that it is unavailable, then not", async () => {
    expect(await send(openTab(...Array.from({ length: 3 }, () => unavailable(0))))).toBe("unavailable");
    expect(apiStatus.outage()).toBeNull();
    expect(await send(openTab(...Array.from({ length: 3 }, () => offlineProblem())))).toBe("offline");
    expect(apiStatus.outage()?.kind).toBe("connection");
  });

  it("When it succeeds or is rejected, then cached data is dropped, and reads in progress are cancelled", async () => {
    for (const failure of [undefined, new ApiProblem("wrong-state", 409, "No.")]) {
      const tab = openTab();
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

  it("When it succeeds, then visible data is refetched; when it is rejected, then it is only invalidated", async () => {
    for (const failure of [undefined, new ApiProblem("wrong-state", 409, "No.")]) {
      const tab = openTab();
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

  it("When it succeeds, then data with only a disabled observer stays, invalidated", async () => {
    const tab = openTab();
    const { data } = await tab.read();
    const observer = new QueryObserver<typeof data>(tab.queryClient, { queryKey: ["a"], enabled: false });
    const stop = observer.subscribe(() => undefined);
    await send(tab);
    expect(tab.queryClient.getQueryData(["a"])).toMatchObject({ data });
    expect(tab.queryClient.getQueryState(["a"])?.isInvalidated).toBe(true);
    expect(tab.fake.calls.filter(({ path }) => path === "/me/saved/ids")).toHaveLength(1);
    stop();
  });

  it("When two run at the same path, then the end of one does not change the other's key", async () => {
    const tab = openTab(unknown(1), unknown(3), null, unknown(3), unknown(3));
    const both = [send(tab, { body: 1 }), send(tab, { body: 2 })];
    expect(await Promise.all(both)).toEqual(["fine", "outcome-unknown"]);
    expect(await send(tab, { body: 2 })).toBe("fine");
    expect(tab.fake.calls.map(({ body }) => body)).toEqual([1, 2, 1, 2, 2, 2]);
    const [first, second, ...more] = keysOf(tab);
    expect(first).not.toBe(second);
    expect(more).toEqual([first, second, second, second]);
  });

  it("When the same write is sent twice concurrently, then both have the same key, and both succeed", async () => {
    const tab = openTab();
    expect(await Promise.all([send(tab), send(tab)])).toEqual(["fine", "fine"]);
    expect(new Set(keysOf(tab)).size).toBe(1);
  });

  it("When it invalidates no cached data, then the cache is kept", async () => {
    const tab = openTab();
    await tab.read();
    await send(tab, { keepsCache: true });
    expect(tab.queryClient.getQueryData(["a"])).toBeDefined();
  });
});
