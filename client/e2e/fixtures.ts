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
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the parameter's shape.
  baseURL: async ({}, use) => {
    const url = process.env["E2E_BASE_URL"];
    if (!url) throw new Error("global-setup.ts did not start the product.");
    await use(url);
  },
  page: async ({ page, javaScriptEnabled }, use) => {
    keepIntercepting(page);
    await use(javaScriptEnabled ? waitForApp(page) : page);
  },
  expectedNoise: [{ patterns: [] }, { option: true }],
  guard: [
    async ({ context, baseURL, expectedNoise }, use) => {
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
          if (protocol.startsWith("http") && origin !== baseURL)
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

/** Creates the account through the identity provider's REST API, and returns an ID token. */
export async function signUpByApi(baseURL: string, account: Account): Promise<{ token: string }> {
  const address = `${baseURL}/identitytoolkit.googleapis.com/v1/accounts:signUp?key=any`;
  const { name: displayName, email, password } = account;
  const body = JSON.stringify({ email, password, displayName, returnSecureToken: true });
  const headers = { "Content-Type": "application/json" };
  const signUp = await fetch(address, { method: "POST", headers, body });
  expect(signUp.status).toBe(200);
  // The token from signing up does not contain the name yet.
  const signInAddress = address.replace("accounts:signUp", "accounts:signInWithPassword");
  const signIn = await fetch(signInAddress, { method: "POST", headers, body });
  const { idToken } = (await signIn.json()) as { idToken: string };
  return { token: idToken };
}

/** Calls the API with this token, and fails unless the response is a success. */
export async function callApi<T>(
  baseURL: string,
  token: string,
  method: string,
  path: string,
  body?: unknown,
): Promise<T> {
  const response = await fetch(baseURL + path, {
    method,
    headers: { "Content-Type": "application/json", Authorization: `Bearer ${token}` },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  expect(response.ok, `${method} ${path}: ${response.status}`).toBe(true);
  return (await response.json()) as T;
}

/** Posts a task through the API and returns its id. */
export async function postTaskByApi(
  baseURL: string,
  token: string,
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
  const { insertedId } = await callApi<{ insertedId: string }>(baseURL, token, "POST", "/tasks", draft);
  return insertedId;
}

/** Bids on a task through the API. */
export async function bidByApi(
  baseURL: string,
  token: string,
  id: string,
  offer: { amount?: number; days?: number; message?: string; answer?: string } = {},
): Promise<void> {
  const result = await callApi(baseURL, token, "PATCH", `/tasks/${id}/bid`, offer);
  expect(result).toMatchObject({ modifiedCount: 1 });
}

/** Awards a task to its only bid and delivers the work through the API. */
export async function deliverByApi(
  baseURL: string,
  id: string,
  tokens: { client: string; freelancer: string },
  work: { note: string; links: string[] },
): Promise<void> {
  const [bid] = await callApi<{ _id: string }[]>(baseURL, tokens.client, "GET", `/tasks/${id}/bids`);
  await callApi(baseURL, tokens.client, "POST", `/tasks/${id}/award`, { bidId: bid?._id });
  await callApi(baseURL, tokens.freelancer, "POST", `/tasks/${id}/deliveries`, work);
}

/** Asks and answers a question on a task through the API. */
export async function askByApi(
  baseURL: string,
  id: string,
  tokens: { asker: string; client: string },
  { question, answer }: { question: string; answer: string },
): Promise<void> {
  const path = `/tasks/${id}/questions`;
  const asked = await callApi<{ insertedId: string }>(baseURL, tokens.asker, "POST", path, {
    text: question,
  });
  await callApi(baseURL, tokens.client, "PUT", `${path}/${asked.insertedId}/answer`, { text: answer });
}
