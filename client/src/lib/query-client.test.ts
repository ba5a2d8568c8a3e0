import { CancelledError, focusManager, InfiniteQueryObserver, QueryObserver } from "@tanstack/react-query";
import { beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { createFakeApi } from "../testing/fake-api.ts";
import { apiStatus } from "./api-status.ts";
import { ApiProblem, offlineProblem } from "./problem.ts";
import { createQueryClient, fillCache, markStale, withMutations } from "./query-client.ts";

const unavailable = (retryAfter: number) => new ApiProblem("unavailable", 503, "Later.", { retryAfter });
const unknown = (retryAfter = 2) => new ApiProblem("outcome-unknown", 503, "Unsure.", { retryAfter });
const rejection = () => new ApiProblem("wrong-state", 409, "No.");
const times = <T>(count: number, make: () => T) => Array.from({ length: count }, make);

beforeEach(() => void vi.useFakeTimers());

/** A tab whose API calls fail with these errors, one after the other (null: succeed), and then always succeed. */
function openTab(...failures: (Error | null)[]) {
  const fake = createFakeApi(({ method }) => {
    const failure = failures.shift();
    if (failure) throw failure;
    return { data: method === "GET" ? [] : { acknowledged: true, deletedCount: 1 } };
  });
  const queryClient = createQueryClient();
  const session = { uid: "u1" };
  const api = withMutations(fake, queryClient, () => session.uid);
  const read = () =>
    queryClient.fetchQuery({ queryKey: ["a"], queryFn: () => api.call("GET /me/saved/ids", {}) });
  const write = (options = {}) => outcome(api.call("DELETE /tasks/:id", { params: { id: "w" }, ...options }));
  const keys = () => fake.calls.map(({ headers }) => headers?.["Idempotency-Key"]);
  return { api, fake, session, queryClient, read, write, keys };
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
  it.each([
    ["twice", times(2, offlineProblem), "fine", 3, undefined],
    ["with a timeout", [offlineProblem({ timedOut: true })], "offline", 1, "connection"],
    ["with a rejection", [rejection()], "wrong-state", 1, undefined],
    ["with a long Retry-After", [unavailable(60)], "unavailable", 1, "server"],
  ] as const)(
    "When it fails %s, then it is retried if that may help",
    async (_, failures, result, calls, outage) => {
      const { fake, read } = openTab(...failures);
      expect(await outcome(read())).toBe(result);
      expect(fake.calls).toHaveLength(calls);
      expect(apiStatus.outage()?.kind).toBe(outage);
    },
  );

  it("When it keeps failing, then there is an outage, during which no read is retried, until one succeeds", async () => {
    const { fake, read } = openTab(...times(4, offlineProblem));
    expect(await outcome(read())).toBe("offline");
    expect(fake.calls).toHaveLength(3);
    expect(apiStatus.outage()).toEqual({ kind: "connection", retryAfter: undefined });
    expect(await outcome(read())).toBe("offline");
    expect(fake.calls).toHaveLength(4);
    expect(await outcome(read())).toBe("fine");
    expect(apiStatus.outage()).toBeNull();
  });

  it("When the server sends Retry-After, then the retry waits that long", async () => {
    const { fake, read } = openTab(unavailable(2));
    const call = read();
    await vi.advanceTimersByTimeAsync(1_990);
    expect(fake.calls).toHaveLength(1);
    expect(await outcome(call)).toBe("fine");
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
    const read = vi.fn(async (): Promise<string> => Promise.reject(rejection()));
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
  it("When its retry waits in a hidden tab, and somebody else signs in, then it is not sent in their name", async () => {
    const { fake, session, queryClient, write } = openTab(unknown());
    queryClient.mount();
    onTestFinished(() => queryClient.unmount());
    focusManager.setFocused(false);
    onTestFinished(() => focusManager.setFocused(undefined));
    const written = write();
    await vi.advanceTimersByTimeAsync(10_000);
    session.uid = "u2";
    focusManager.setFocused(true);
    expect(await written).toBe("not-signed-in");
    expect(fake.calls).toHaveLength(1);
  });

  it.each([
    ["session-expired", 401],
    ["too-many-requests", 429],
    ["internal", 500],
  ] as const)(
    "When its outcome is unknown and the next attempt ends with %s, then all of them have the same key",
    async (code, status) => {
      const tab = openTab(...times(3, unknown), new ApiProblem(code, status, "No."));
      for (const result of ["outcome-unknown", code, "fine"]) expect(await tab.write()).toBe(result);
      expect(tab.keys()[0]).toMatch(/^[0-9a-f]{32}$/);
      expect(new Set(tab.keys()).size).toBe(1);
      expect(apiStatus.outage()).toBeNull();
    },
  );

  it("When the caller passes a key, then that one is sent each time", async () => {
    const tab = openTab(offlineProblem());
    expect(await tab.write({ idempotencyKey: "k1" })).toBe("fine");
    expect(tab.keys()).toEqual(["k1", "k1"]);
  });

  it("When it may be carried out twice, then only its retries have the same key", async () => {
    const tab = openTab(...times(3, unknown));
    expect(await tab.write({ isRepeatable: true })).toBe("outcome-unknown");
    expect(await tab.write({ isRepeatable: true })).toBe("fine");
    const [first, second, third, again] = tab.keys();
    expect([second, third]).toEqual([first, first]);
    expect(again).not.toBe(first);
  });

  it.each([
    ["was rejected", [rejection()], "wrong-state"],
    ["succeeded", [], "fine"],
  ])(
    "When a different write %s in between, then the same write has a new key, so it is carried out",
    async (_, ends, result) => {
      const tab = openTab(...times(3, unknown), ...ends);
      expect(await tab.write({ body: "pause" })).toBe("outcome-unknown");
      expect(await tab.write({ body: "resume" })).toBe(result);
      expect(await tab.write({ body: "resume" })).toBe("fine");
      expect(await tab.write({ body: "pause" })).toBe("fine");
      expect(new Set(tab.keys()).size).toBe(4);
    },
  );

  it("When two run at the same path, then the end of one does not change the other's key", async () => {
    const tab = openTab(unknown(1), unknown(3), null, unknown(3), unknown(3));
    const both = [tab.write({ body: 1 }), tab.write({ body: 2 })];
    expect(await Promise.all(both)).toEqual(["fine", "outcome-unknown"]);
    expect(await tab.write({ body: 2 })).toBe("fine");
    expect(tab.fake.calls.map(({ body }) => body)).toEqual([1, 2, 1, 2, 2, 2]);
    const [first, second, ...more] = tab.keys();
    expect(first).not.toBe(second);
    expect(more).toEqual([first, second, second, second]);
  });

  it("When there is no response, then there is an outage; when the server responds that it is unavailable, then not", async () => {
    expect(await openTab(...times(3, () => unavailable(0))).write()).toBe("unavailable");
    expect(apiStatus.outage()).toBeNull();
    expect(await openTab(...times(3, offlineProblem)).write()).toBe("offline");
    expect(apiStatus.outage()?.kind).toBe("connection");
  });

  it.each([
    ["succeeds, then visible data is refetched", null, true],
    ["is rejected because the page is out of date, then visible data is refetched", rejection(), true],
    [
      "is rejected as invalid, then visible data is invalidated",
      new ApiProblem("invalid", 422, "No."),
      false,
    ],
  ])(
    "When it %s, other data invalidated or, if it has nothing to do with the write, kept, and reads in progress cancelled",
    async (_, failure, isRefetched) => {
      const tab = openTab(null, failure);
      await tab.read();
      tab.queryClient.setQueryData(["tasks", "hidden"], "read again when it is shown");
      const late = tab.queryClient
        .fetchQuery({ queryKey: ["bids", "late"], queryFn: () => new Promise<string>(() => undefined) })
        .catch((error: unknown) => error);
      const refetch = vi.fn(async () => "fine");
      const watch = (queryKey: string[], queryFn?: typeof refetch) =>
        onTestFinished(
          new QueryObserver<string>(
            tab.queryClient,
            queryFn ? { queryKey, queryFn } : { queryKey, enabled: false },
          ).subscribe(() => undefined),
        );
      watch(["tasks", "shown"], refetch);
      // As in the account menu.
      tab.queryClient.setQueryData(["me"], "kept");
      watch(["me"]);
      await vi.advanceTimersByTimeAsync(0);
      await tab.write();
      expect(await late).toBeInstanceOf(CancelledError);
      expect(refetch).toHaveBeenCalledTimes(isRefetched ? 2 : 1);
      const state = (...key: string[]) => tab.queryClient.getQueryState(key);
      expect(state("tasks", "shown")).toMatchObject({ data: "fine", isInvalidated: !isRefetched });
      expect(state("tasks", "hidden")).toMatchObject({ isInvalidated: true });
      expect(state("me")).toMatchObject({ data: "kept", isInvalidated: true });
      expect(state("a")).toMatchObject({ isInvalidated: false });
    },
  );

  it("When something public is read within two seconds, then with the person's token, or as a visitor once they have logged out", async () => {
    const tab = openTab(null, null, null, new ApiProblem("not-signed-in", 401, "No."));
    const read = () => tab.api.call("GET /tasks", { asVisitor: true });
    const auths = () => tab.fake.calls.filter(({ method }) => method === "GET").map(({ auth }) => auth);
    await read();
    await tab.api.call("DELETE /tasks/:id", { params: { id: "w" } });
    await read();
    await read();
    vi.advanceTimersByTime(2_001);
    await read();
    expect(auths()).toEqual(["none", "required", "required", "none", "none"]);
  });

  it("When a person is not there for visitors, then somebody signed in asks again with their token", async () => {
    const missing = new ApiProblem("person-not-found", 404, "No.");
    const tab = openTab(missing, null);
    await tab.api.call("GET /profiles/:id/reviews", { params: { id: "p" }, asVisitor: true });
    expect(tab.fake.calls.map(({ auth }) => auth)).toEqual(["none", "required"]);
  });

  it("When it invalidates no cached data, then the cache is kept", async () => {
    const tab = openTab();
    await tab.read();
    await tab.write({ keepsCache: true });
    expect(tab.queryClient.getQueryData(["a"])).toBeDefined();
  });
});

it("When an event arrives during the first read, then what it reports is shown, though that read began before it", async () => {
  const queryClient = createQueryClient();
  let stored = "before";
  const queryFn = async () => {
    const read = stored;
    await new Promise((resolve) => setTimeout(resolve, 100));
    return read;
  };
  const observer = new QueryObserver(queryClient, { queryKey: ["a"], queryFn });
  onTestFinished(observer.subscribe(() => {}));
  stored = "after";
  void markStale(queryClient, ["a"]);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(observer.getCurrentResult().data).toBe("after");
  queryClient.clear();
});

it("When an event arrives while more of a list is loading, then that is shown too, and all of it is read again", async () => {
  const queryClient = createQueryClient();
  let version = 1;
  const observer = new InfiniteQueryObserver(queryClient, {
    queryKey: ["a"],
    queryFn: async ({ pageParam }) => {
      const read = `page ${pageParam}, version ${version}`;
      await new Promise((resolve) => setTimeout(resolve, 100));
      return read;
    },
    initialPageParam: 1,
    getNextPageParam: (_page, pages) => pages.length + 1,
  });
  onTestFinished(observer.subscribe(() => {}));
  await vi.advanceTimersByTimeAsync(1_000);
  void observer.fetchNextPage();
  version = 2;
  void markStale(queryClient, ["a"]);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(observer.getCurrentResult().data?.pages).toEqual(["page 1, version 2", "page 2, version 2"]);
  queryClient.clear();
});

it.each([
  ["has just arrived with its data", [[["a"], "embedded"]] as const, "navigate", "embedded", "embedded"],
  [
    "is restored with the back button",
    [[["a"], "embedded"]] as const,
    "back_forward",
    "embedded",
    "from API",
  ],
  ["arrived without data", [], "navigate", undefined, "from API"],
])("When a page %s, then what is fresh is not fetched again", async (_, queries, type, shown, fetched) => {
  vi.spyOn(performance, "getEntriesByType").mockReturnValue([{ type } as PerformanceNavigationTiming]);
  const queryClient = createQueryClient();
  fillCache(queryClient, queries);
  expect(queryClient.getQueryData(["a"])).toBe(shown);
  expect(await queryClient.fetchQuery({ queryKey: ["a"], queryFn: async () => "from API" })).toBe(fetched);
  queryClient.clear();
});
