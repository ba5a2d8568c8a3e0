import { type BrowserContext, test as base, expect, type Page } from "@playwright/test";
import { exampleTask } from "../../server/tools/lib/example-task.ts";

export { expect };

type Fixtures = {
  /** Console messages that this test allows; others fail it. (An object, because Playwright spreads plain arrays.) */
  expectedNoise: { patterns: RegExp[] };
  /** Watches the console and network of the test's context; `watch` adds another context. */
  guard: { watch(context: BrowserContext): Promise<void> };
  /** Opens a page in a new, separate browser context. */
  newSession: () => Promise<Page>;
};

/** Logged because playwright.config.ts blocks service workers. */
const SERVICE_WORKER_BLOCKED = /Service Worker registration blocked by Playwright/;

/**
 * Chromium fails all pending requests, even local ones, when a network interface of the machine appears or disappears,
 * for example when a container starts. The app retries them.
 */
const NETWORK_CHANGED = /net::ERR_NETWORK_CHANGED/;

/**
 * Playwright's `test`, against the product that global-setup.ts starts. A test fails on unexpected console output, an
 * uncaught error or a request to another host.
 */
export const test = base.extend<Fixtures>({
  page: async ({ page, javaScriptEnabled }, use) => {
    keepIntercepting(page);
    await use(javaScriptEnabled ? waitForApp(page) : page);
  },
  expectedNoise: [{ patterns: [] }, { option: true }],
  guard: [
    async ({ context, expectedNoise }, use) => {
      const noise: string[] = [];
      const report = (text: string) => {
        const expected = [SERVICE_WORKER_BLOCKED, NETWORK_CHANGED, ...expectedNoise.patterns];
        if (!expected.some((pattern) => pattern.test(text))) noise.push(text);
      };
      const watch = async (watched: BrowserContext) => {
        watched.on("console", (message) => {
          if (message.type() === "error" || message.type() === "warning") {
            report(`console ${message.type()}: ${message.text()} (${message.location().url})`);
          }
        });
        watched.on("weberror", (event) => report(`page error: ${event.error().message}`));
        // Not a route, which would disable the browser's cache. The Chromium flags in playwright.config.ts block them.
        watched.on("request", (request) => {
          const { protocol, origin } = new URL(request.url());
          if (protocol.startsWith("http") && origin !== ORIGIN)
            report(`request to another host: ${request.url()}`);
        });
      };
      await watch(context);
      await use({ watch });
      expect(noise, "console and network noise").toEqual([]);
    },
    { auto: true },
  ],
  newSession: async ({ browser, guard, contextOptions, viewport }, use) => {
    const opened: BrowserContext[] = [];
    await use(async () => {
      const context = await browser.newContext({ ...contextOptions, viewport });
      opened.push(context);
      await guard.watch(context);
      const page = await context.newPage();
      keepIntercepting(page);
      return waitForApp(page);
    });
    for (const context of opened) await context.close();
  },
});

/**
 * Keeps a route that matches nothing once a page has had any route. When `unroute` or `times` removes the last route,
 * pending requests may hang forever: 69 of 566 attempts did (Playwright 1.65, Chromium 150).
 */
function keepIntercepting(page: Page): void {
  const route = page.route.bind(page);
  let kept: Promise<unknown> | undefined;
  page.route = async (...args) => {
    kept ??= page.context().route("http://nothing.invalid/", () => undefined);
    await kept;
    return route(...args);
  };
}

/**
 * Makes `goto` and `reload` wait until the app has started (hydration.spec.ts tests what people do before).
 * Tests whose scripts do not load use `waitUntil: "commit"`.
 */
function waitForApp(page: Page): Page {
  const goto = page.goto.bind(page);
  const reload = page.reload.bind(page);
  const started = () => page.locator("[data-starting]").waitFor({ state: "detached" });
  page.goto = async (url, options) => {
    const response = await goto(url, options);
    if (options?.waitUntil !== "commit") await started();
    return response;
  };
  page.reload = async (options) => {
    const response = await reload(options);
    if (options?.waitUntil !== "commit") await started();
    return response;
  };
  return page;
}

export type Account = { name: string; email: string; password: string };
/** The identity provider's response to signing in. */
type Session = { localId: string; idToken: string; refreshToken: string; displayName: string };
/** Somebody who is signed in, with an ID token for the API. */
export type Person = Account & { token: string; session: Session };

/** Where the product is served; set by global-setup.ts before the workers start. */
export const ORIGIN = process.env["E2E_BASE_URL"] ?? "";

/** Asks for a public page until it is sent with its content: the first time, rendering it may take a busy machine too long. */
export async function renderedPage(path: string): Promise<{ status: number; html: string }> {
  let page = { status: 0, html: "" };
  await expect(async () => {
    const response = await fetch(new URL(path, ORIGIN), { headers: { Accept: "text/html" } });
    page = { status: response.status, html: await response.text() };
    // A page as it was built names another origin, or none.
    expect(page.html).toContain(`content="${ORIGIN}/`);
  }).toPass();
  return page;
}

/** The operator of the demo data. */
export const OPERATOR: Account = { name: "", email: "oda@tasklane.example", password: "Tasklane1" };

let count = 0;

/** The data of a new account, with a unique email address. Does not sign it up. */
export function newAccount(name: string): Account {
  count += 1;
  const unique = `${Date.now().toString(36)}-${process.pid}-${count}`;
  return {
    name,
    email: `${name.toLowerCase().replaceAll(" ", ".")}.${unique}@example.com`,
    password: "Secret1",
  };
}

/** Calls the identity provider's REST API, as its SDK does. */
async function callIdentity(action: "signUp" | "signInWithPassword", account: Account): Promise<Session> {
  const { name: displayName, email, password } = account;
  const response = await fetch(`${ORIGIN}/identitytoolkit.googleapis.com/v1/accounts:${action}?key=any`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ email, password, displayName, returnSecureToken: true }),
  });
  expect(response.status, action).toBe(200);
  return (await response.json()) as Session;
}

/** Signs somebody in, for the API and for a browser. */
export async function signIn(account: Account): Promise<Person> {
  const session = await callIdentity("signInWithPassword", account);
  return { ...account, token: session.idToken, session };
}

/** Creates an account and signs it in: the token from signing up does not contain the name yet. */
export async function signUp(name: string, account = newAccount(name)): Promise<Person> {
  await callIdentity("signUp", { ...account, name });
  return signIn({ ...account, name });
}

/** Calls the API as somebody, and fails unless the response is a success. */
export async function callApi<T>(
  { token }: Person,
  method: string,
  path: string,
  body?: unknown,
): Promise<T> {
  const response = await fetch(ORIGIN + path, {
    method,
    headers: { "Content-Type": "application/json", Authorization: `Bearer ${token}` },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  expect(response.ok, `${method} ${path}: ${response.status}`).toBe(true);
  return (await response.json()) as T;
}

/** Posts a task through the API and returns its id. */
export async function postTask(
  client: Person,
  overrides: Parameters<typeof exampleTask>[0] = {},
): Promise<string> {
  const draft = exampleTask({
    title: "Illustrate a children's book cover",
    category: "Design",
    description: "A hardcover, 21 by 21 cm, with a fox and a lighthouse.",
    deadline: "2099-05-20",
    budget: 480,
    ...overrides,
  });
  const { insertedId } = await callApi<{ insertedId: string }>(client, "POST", "/tasks", draft);
  return insertedId;
}

/** Bids on a task through the API. */
export async function placeBid(
  freelancer: Person,
  id: string,
  offer: { amount?: number; days?: number; message?: string; answer?: string } = {},
): Promise<void> {
  expect(await callApi(freelancer, "PATCH", `/tasks/${id}/bid`, offer)).toMatchObject({ modifiedCount: 1 });
}

/** The API's path of the first bid on a task. */
export async function firstBid(client: Person, id: string): Promise<string> {
  const [bid] = await callApi<{ _id: string }[]>(client, "GET", `/tasks/${id}/bids`);
  return `/tasks/${id}/bids/${bid?._id}`;
}

/** Shortlists the first bid on a task through the API, and opens a conversation with the bidder. Returns its path. */
export async function openConversation(client: Person, id: string): Promise<string> {
  const bid = await firstBid(client, id);
  await callApi(client, "PATCH", bid, { state: "shortlisted" });
  const opened = await callApi<{ insertedId: string }>(client, "POST", `${bid}/conversation`);
  return `/me/conversations/${opened.insertedId}`;
}

/** Awards a task to its only bid and delivers the work through the API. */
export async function deliverWork(
  id: string,
  { client, freelancer }: { client: Person; freelancer: Person },
  work: { note: string; links: string[] },
): Promise<void> {
  await awardTask(id, client);
  await callApi(freelancer, "POST", `/tasks/${id}/deliveries`, work);
}

/** Awards a task to its only bid through the API. */
export async function awardTask(id: string, client: Person): Promise<void> {
  const bidId = (await firstBid(client, id)).split("/").at(-1);
  await callApi(client, "POST", `/tasks/${id}/award`, { bidId });
}

/** Asks and answers a question on a task through the API. Returns the question's id. */
export async function askQuestion(
  id: string,
  { asker, client }: { asker: Person; client: Person },
  { question, answer }: { question: string; answer: string },
): Promise<string> {
  const path = `/tasks/${id}/questions`;
  const asked = await callApi<{ insertedId: string }>(asker, "POST", path, { text: question });
  await callApi(client, "PUT", `${path}/${asked.insertedId}/answer`, { text: answer });
  return asked.insertedId;
}
