import { type BrowserContext, test as base, expect, type Page } from "@playwright/test";

export { expect };

type Fixtures = {
  /** Console messages that this test allows; any other fails it. (An object, because Playwright spreads bare lists.) */
  expectedNoise: { patterns: RegExp[] };
  /** Watches every session of the test; `watch` adds one that the test opened itself. */
  guard: { watch(context: BrowserContext): Promise<void> };
  /** Opens a page in a new browser context, which shares nothing with others. */
  newSession: () => Promise<Page>;
};

/** What Playwright says where it blocks service workers; see playwright.config.ts. */
const WORKERLESS = /Service Worker registration blocked by Playwright/;

/**
 * What Chromium says of all requests under way, also those to this machine, when a network interface comes or goes beside
 * the tests, as with every container that starts. The app asks again.
 */
const INTERFACES_CHANGED = /net::ERR_NETWORK_CHANGED/;

/**
 * Playwright's test with the product of global-setup.ts. A test fails on unexpected console output, on an uncaught error,
 * and on a request to another host.
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
        const expected = [WORKERLESS, INTERFACES_CHANGED, ...expectedNoise.patterns];
        if (!expected.some((pattern) => pattern.test(text))) noise.push(text);
      };
      const watch = async (watched: BrowserContext) => {
        watched.on("console", (message) => {
          if (message.type() === "error" || message.type() === "warning") {
            report(`console ${message.type()}: ${message.text()} (${message.location().url})`);
          }
        });
        watched.on("weberror", (event) => report(`page error: ${event.error().message}`));
        // Not a route, which would also switch the browser's cache off; see playwright.config.ts for what stops them.
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
 * Once a page has had a route, its context keeps one that matches nothing. Were the last route taken away, as `unroute` and
 * `times` do, the requests under way at that moment would hang for ever: in 69 of 566 tries (Playwright 1.65, Chromium 150).
 */
function keepIntercepting(page: Page): void {
  const route = page.route.bind(page);
  let kept: Promise<unknown> | undefined;
  page.route = async (...wanted) => {
    kept ??= page.context().route("http://nothing.invalid/", () => undefined);
    await kept;
    return route(...wanted);
  };
}

/**
 * Lets `goto` and `reload` wait until React has replaced the prerendered page: what is clicked or typed before is lost.
 * A test whose scripts do not load says `waitUntil: "commit"`.
 */
function waitForApp(page: Page): Page {
  const goto = page.goto.bind(page);
  const reload = page.reload.bind(page);
  // An attribute that only the prerendered page has.
  const started = () => page.locator("[data-early-theme]").waitFor({ state: "detached" });
  page.goto = async (url, options) => {
    const response = await goto(url, options);
    if (options?.waitUntil !== "commit") await started();
    return response;
  };
  page.reload = async (options) => {
    const response = await reload(options);
    await started();
    return response;
  };
  return page;
}

export type Account = { name: string; email: string; password: string };

/** The operator of the demo data, who has the custom claim `admin`. */
export const OPERATOR: Account = { name: "", email: "oda@tasklane.example", password: "Tasklane1" };

let made = 0;

/** A new person, with an email address that no other test or run uses. */
export function somebody(name: string): Account {
  made += 1;
  const unique = `${Date.now().toString(36)}-${process.pid}-${made}`;
  return {
    name,
    email: `${name.toLowerCase().replaceAll(" ", ".")}.${unique}@example.com`,
    password: "Secret1",
  };
}

/** Creates the account through the identity provider's REST API. */
export async function signUpByApi(baseURL: string, account: Account): Promise<{ token: string }> {
  const address = `${baseURL}/identitytoolkit.googleapis.com/v1/accounts:signUp?key=any`;
  const { name: displayName, email, password } = account;
  const body = JSON.stringify({ email, password, displayName, returnSecureToken: true });
  const headers = { "Content-Type": "application/json" };
  const made = await fetch(address, { method: "POST", headers, body });
  expect(made.status).toBe(200);
  // The token of the sign-up has no name yet.
  const signIn = address.replace("accounts:signUp", "accounts:signInWithPassword");
  const signed = await fetch(signIn, { method: "POST", headers, body });
  const { idToken } = (await signed.json()) as { idToken: string };
  return { token: idToken };
}

/** Calls the API as somebody. */
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

/** Posts a task through the API. @returns its id. */
export async function postTaskByApi(
  baseURL: string,
  token: string,
  overrides: Record<string, unknown> = {},
): Promise<string> {
  const draft = {
    title: "Illustrate a children's book cover",
    category: "Design",
    description: "A hardcover, 21 by 21 cm, with a fox and a lighthouse.",
    deadline: "2099-05-20",
    budget: 480,
    ...overrides,
  };
  const response = await fetch(`${baseURL}/tasks`, {
    method: "POST",
    headers: { "Content-Type": "application/json", Authorization: `Bearer ${token}` },
    body: JSON.stringify(draft),
  });
  expect(response.ok).toBe(true);
  return ((await response.json()) as { insertedId: string }).insertedId;
}

/** Bids on a task through the API. */
export async function bidByApi(
  baseURL: string,
  token: string,
  id: string,
  offer: { amount?: number; days?: number; message?: string; answer?: string } = {},
): Promise<void> {
  const response = await fetch(`${baseURL}/tasks/${id}/bid`, {
    method: "PATCH",
    headers: { "Content-Type": "application/json", Authorization: `Bearer ${token}` },
    body: JSON.stringify(offer),
  });
  expect(await response.json()).toMatchObject({ modifiedCount: 1 });
}

/** Awards a task to its only bid and delivers its work through the API, with each side's token. */
export async function deliverByApi(
  baseURL: string,
  id: string,
  tokens: { client: string; freelancer: string },
  work: { note: string; links: string[] },
): Promise<void> {
  const call = async (path: string, token: string, body?: object) => {
    const headers = { "Content-Type": "application/json", Authorization: `Bearer ${token}` };
    const sent = body ? { method: "POST", headers, body: JSON.stringify(body) } : { headers };
    const response = await fetch(`${baseURL}/tasks/${id}/${path}`, sent);
    expect(response.ok, path).toBe(true);
    return await response.json();
  };
  const [bid] = (await call("bids", tokens.client)) as { _id: string }[];
  await call("award", tokens.client, { bidId: bid?._id });
  await call("deliveries", tokens.freelancer, work);
}

/** Asks a question on a task through the API, and answers it with the client's token. */
export async function askByApi(
  baseURL: string,
  id: string,
  tokens: { asker: string; client: string },
  texts: { question: string; answer: string },
): Promise<void> {
  const send = async (method: string, path: string, token: string, text: string) => {
    const headers = { "Content-Type": "application/json", Authorization: `Bearer ${token}` };
    const response = await fetch(`${baseURL}/tasks/${id}/questions${path}`, {
      method,
      headers,
      body: JSON.stringify({ text }),
    });
    expect(response.ok, `${method} ${path}`).toBe(true);
    return (await response.json()) as { insertedId: string };
  };
  const { insertedId } = await send("POST", "", tokens.asker, texts.question);
  await send("PUT", `/${insertedId}/answer`, tokens.client, texts.answer);
}

/**
 * Opens an address as somebody who has logged in before: their session lies in the browser as Firebase's SDK stores it.
 * The login page, with its pause before it leads on, is for the journeys that are about it: {@link logIn}.
 */
export async function openAs(page: Page, { email, password }: Account, address: string): Promise<void> {
  const signIn = await page.request.post(
    "/identitytoolkit.googleapis.com/v1/accounts:signInWithPassword?key=any",
    {
      data: { email, password, returnSecureToken: true },
    },
  );
  const {
    localId: uid,
    idToken,
    refreshToken,
    displayName,
  } = (await signIn.json()) as Record<string, string>;
  const stored = {
    ...{ uid, email, displayName, emailVerified: false, isAnonymous: false, providerData: [] },
    stsTokenManager: { accessToken: idToken, refreshToken, expirationTime: Date.now() + 3_600_000 },
    ...{ apiKey: "emulator-only", appName: "[DEFAULT]" },
  };
  // Any address of this origin that runs no script.
  await page.goto("/robots.txt");
  await page.evaluate(
    (user) => localStorage.setItem("firebase:authUser:emulator-only:[DEFAULT]", user),
    JSON.stringify(stored),
  );
  await page.goto(address);
}

/** Fills in the login page that the browser is on or being redirected to. */
export async function logIn(page: Page, { email, password }: Account): Promise<void> {
  // The page one comes from may have a field for an email too.
  await expect(page.getByRole("heading", { name: "Login now!" })).toBeVisible();
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Password", { exact: true }).fill(password);
  await page.getByRole("button", { name: "Login", exact: true }).click();
}

/** Pages come as a server without its database sends them: the app has to ask for what they show. */
export async function serveWithoutData(page: Page): Promise<void> {
  await page.route(
    (url) => !/[.][a-z\d]+$/.test(url.pathname),
    async (route) => {
      if (route.request().resourceType() !== "document") return route.fallback();
      const response = await route.fetch();
      const html = (await response.text()).replace(/<script type="application\/json"[\s\S]*?<\/script>/, "");
      return route.fulfill({ response, body: html });
    },
  );
}
