import { EMPTY_PROFILE } from "@tasklane/server/contract";
import { act, render, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { createMemoryRouter, createPath } from "react-router-dom";
import { expect } from "vitest";
import { App, createServices, routerContext } from "../app/app.tsx";
import { routes } from "../app/routes.tsx";
import { createSession } from "../auth/session.tsx";
import type { EndpointKey } from "../lib/api.ts";
import { ApiProblem, offlineProblem } from "../lib/problem.ts";
import { createQueryClient } from "../lib/query-client.ts";
import { aMe, aPerson } from "./builders.ts";
import { deferred } from "./deferred.ts";
import { type Call, createFakeApi, Reply } from "./fake-api.ts";
import { createFakeFirebase } from "./fake-firebase.ts";

// Loaded up front, so that no test waits for the code of a page.
await Promise.all(
  Object.values(import.meta.glob("../{app,features,ui}/**/!(*.test).tsx")).map((load) => load()),
);

/** The response to an endpoint, or what responds to each call. A {@link Reply} also has headers. */
export type Handlers = { [E in EndpointKey]?: ((call: Call) => unknown) | object };

type Target = EndpointKey | "reads" | "writes";

/** What goes wrong at the fake server; each test may change it at any time. */
type Trouble = {
  /** With what requests fail. */
  fails: { [T in Target]?: Error | undefined };
  /** What responses wait for. */
  waits: { [T in Target]?: Promise<unknown> | undefined };
  /** With what writes fail although they were carried out. */
  loses: Error | undefined;
};

const DONE = {
  acknowledged: true,
  matchedCount: 1,
  modifiedCount: 1,
  deletedCount: 1,
  insertedId: "f".repeat(24),
};
const DEFAULTS: Handlers = {
  "GET /me/recommendations": [],
  "GET /me": () => aMe(),
  "GET /me/profile": EMPTY_PROFILE,
  "GET /tasks/:id/ending": {},
  "GET /tasks/:id/timeline": { entries: [] },
  "GET /tasks/:id/invoices": { invoices: [] },
  "GET /me/payment-details": { way: "iban", value: "" },
};

// Before a test fakes the timers.
const { setTimeout } = globalThis;

/**
 * A server with these handlers. By default lists are empty, and writes succeed. Like the API, it carries out each
 * idempotency key once: it repeats the response to the same request, and refuses another one.
 */
export function createServer(handlers: Handlers = {}) {
  const trouble: Trouble = { fails: {}, waits: {}, loses: undefined };
  const all = { ...DEFAULTS, ...handlers };
  const carriedOut = new Map<string | undefined, { request: string; response: unknown }>();
  const api = createFakeApi(async (call) => {
    const { endpoint, method, path, headers, body } = call;
    const kind = method === "GET" ? "reads" : "writes";
    // As from a network, the response arrives after the page has rendered.
    await new Promise((arrive) => setTimeout(arrive, 1));
    await trouble.waits[endpoint];
    await trouble.waits[kind];
    const failure = trouble.fails[endpoint] ?? trouble.fails[kind];
    if (failure) throw failure;
    const handler = all[endpoint] ?? (kind === "writes" ? DONE : []);
    const key = headers?.["Idempotency-Key"];
    const request = JSON.stringify([path, headers?.["If-Match"], body]);
    const earlier = carriedOut.get(key);
    if (earlier && earlier.request !== request) throw new ApiProblem("key-reused", 422, "Sent before.");
    const response =
      earlier?.response ?? (typeof handler === "function" ? await handler(call) : handler) ?? DONE;
    if (key) carriedOut.set(key, { request, response });
    if (kind === "writes" && trouble.loses) throw trouble.loses;
    return response instanceof Reply ? response : new Reply(response);
  });
  const writes = () => api.calls.filter(({ method }) => method !== "GET");
  /** Holds back responses until the returned function is called. */
  const hold = (target: Target) => {
    const { promise, resolve } = deferred();
    trouble.waits[target] = promise;
    return resolve;
  };
  return Object.assign(trouble, { api, calls: api.calls, writes, hold });
}

/** The page, or a part of it. */
type Part = Pick<typeof screen, "findByRole" | "findByLabelText">;

type Options = {
  /** Who is signed in, if anybody; Fay Lance by default. */
  person?: ReturnType<typeof aPerson> | null;
  firebase?: ReturnType<typeof createFakeFirebase>;
  server?: ReturnType<typeof createServer>;
  /** Waits before retries, in ms. By default nothing is retried. */
  retryWaits?: number[];
};

/** Renders the whole app at a URL, beside a fake server with these handlers. */
export function openApp(...app: Parameters<typeof prepareApp>) {
  const { mount, ...opened } = prepareApp(...app);
  mount();
  return opened;
}

/** The same, before it is rendered: its first page begins to load. */
export function prepareApp(
  url: string,
  handlers?: Handlers,
  {
    person = aPerson(),
    firebase = createFakeFirebase(person),
    server = createServer(handlers),
    retryWaits = [],
  }: Options = {},
) {
  const user = userEvent.setup();
  /** Presses a button, once it is there. */
  const press = async (name: string | RegExp, part: Part = screen) =>
    user.click(await part.findByRole("button", { name }));
  /** Replaces the text of a field, in one go: the page renders again for each typed key. */
  const fill = async (label: string | RegExp, text: string, part: Part = screen) => {
    const field = await part.findByLabelText(label);
    await user.clear(field);
    // A page that has just appeared takes the focus, perhaps only now.
    act(() => field.focus());
    await user.paste(text);
  };
  /** Chooses an action of the menu that this button opens. */
  const choose = async (menu: string, name: string) => {
    await press(menu);
    await user.click(screen.getByRole("menuitem", { name }));
  };
  const session = createSession(async () => firebase);
  const services = createServices({ api: server.api, session }, createQueryClient({ retryWaits }));
  const router = createMemoryRouter(routes, {
    initialEntries: [url],
    getContext: routerContext(services),
  });
  const { queryClient } = services;
  const address = () => createPath(router.state.location);
  /** Waits until this is the address. */
  const isAt = (expected: string) => waitFor(() => expect(address()).toBe(expected));
  const goTo = (path: string) => act(() => router.navigate(path));
  /** Loads everything on the page again. */
  const reload = () => act(() => queryClient.invalidateQueries());
  /** The calls of this endpoint so far. */
  const asked = (endpoint: EndpointKey) => server.calls.filter((call) => call.endpoint === endpoint);
  /** Sends something whose response is lost. Then the page shows what the server has. */
  const lose = async (send: () => Promise<void>) => {
    server.loses = offlineProblem();
    await send();
    await screen.findByText(/We can't reach Tasklane/);
    server.loses = undefined;
    await reload();
  };
  return {
    ...{ session, queryClient, router, server, firebase },
    ...{ user, press, fill, choose },
    ...{ address, isAt, goTo, reload, asked, lose },
    writes: server.writes,
    /** Goes back as a browser does, which tells the window, too; a memory router does not. */
    goBack: () =>
      act(() => {
        window.dispatchEvent(new PopStateEvent("popstate"));
        return router.navigate(-1);
      }),
    mount: () => void render(<App services={services} router={router} />),
  };
}
