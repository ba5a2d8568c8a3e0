import { readFileSync } from "node:fs";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import type { Page } from "@playwright/test";
import { test as base, expect } from "./fixtures.ts";

type Fixtures = {
  /** Serves a small test site on loopback, until the test ends or `stop` is called. */
  serve: (listener: RequestListener, port?: number) => Promise<Served>;
  /** A page for such a site, in a context without the checks of fixtures.ts, which only apply to the product. */
  sitePage: Page;
};
type Served = { url: string; port: number; stop: () => Promise<unknown> };

const test = base.extend<Fixtures>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the parameter's shape.
  serve: async ({}, use) => {
    const served: Served[] = [];
    await use(async (listener, requestedPort = 0) => {
      const server = createServer(listener);
      await new Promise<void>((listening) => server.listen(requestedPort, "127.0.0.1", listening));
      const { port } = server.address() as AddressInfo;
      const stop = () => {
        server.closeAllConnections();
        return new Promise((closed) => server.close(closed));
      };
      served.push({ url: `http://127.0.0.1:${port}/`, port, stop });
      return served.at(-1) as Served;
    });
    await Promise.all(served.map(({ stop }) => stop()));
  },
  sitePage: async ({ browser }, use) => {
    const context = await browser.newContext({ serviceWorkers: "allow" });
    await use(await context.newPage());
    await context.close();
  },
});

// All other tests block service workers, which would bypass the tests' routes.
test.use({
  serviceWorkers: "allow",
  expectedNoise: { patterns: [/ERR_INTERNET_DISCONNECTED/, /status of 503/] },
});

const REGISTER = '<script>navigator.serviceWorker.register("/service-worker.js")</script>';

const builtWorker = () =>
  readFileSync(new URL("../../.tasklane/e2e-client/service-worker.js", import.meta.url), "utf8");

/** Waits until the worker handles the page's navigations. */
const workerActive = (page: Page) =>
  page.waitForFunction(async () => (await navigator.serviceWorker.ready).active?.state === "activated");

test("When a page cannot be fetched, then an offline page is shown until it can be @once", async ({
  page,
  context,
}) => {
  await page.goto("/");
  await workerActive(page);
  await context.setOffline(true);
  await page.goto("/about", { waitUntil: "commit" });
  await expect(page.getByRole("heading", { name: "You seem to be offline" })).toBeVisible();
  await expect(page.getByRole("link", { name: "Try again" })).toBeVisible();
  await context.setOffline(false);
  await expect(page.getByRole("heading", { level: 1, name: "About" })).toBeVisible();
});

test("When a new version is deployed, then users with the service worker get it with the next page @once", async ({
  sitePage,
  serve,
}) => {
  const worker = builtWorker();
  let version = 1;
  const { url } = await serve(({ url }, response) => {
    const isScript = url?.endsWith(".js");
    response.setHeader("Content-Type", isScript ? "text/javascript" : "text/html");
    if (url === "/service-worker.js") return response.end(`${worker}// ${version}`);
    if (isScript) return response.end(`document.title = "Version ${version}"`);
    response.end(`<h1>Version ${version}</h1><script src="/app.js"></script>${REGISTER}`);
  });
  const fromWorker: string[] = [];
  sitePage.on("response", (response) => {
    if (response.fromServiceWorker()) fromWorker.push(new URL(response.url()).pathname);
  });
  await sitePage.goto(url);
  await workerActive(sitePage);
  for (version = 2; version < 5; version++) {
    await sitePage.reload();
    await expect(sitePage.getByRole("heading")).toHaveText(`Version ${version}`);
    await expect(sitePage).toHaveTitle(`Version ${version}`);
    // The new worker stays in the waiting state until this tab is closed.
    await sitePage.evaluate(async () => void (await (await navigator.serviceWorker.ready).update()));
  }
  expect(new Set(fromWorker)).toEqual(new Set(["/"]));
  expect(await sitePage.evaluate(() => caches.keys())).toEqual([]);
});

test("When the server is down for a while, then the offline page opens the requested one after that @once", async ({
  sitePage,
  serve,
}) => {
  const worker = builtWorker();
  const site: RequestListener = ({ url }, response) => {
    const isWorker = url === "/service-worker.js";
    response.setHeader("Content-Type", isWorker ? "text/javascript" : "text/html");
    response.end(isWorker ? worker : `<h1>Here</h1>${REGISTER}`);
  };
  const { url, port, stop } = await serve(site);
  await sitePage.goto(url);
  await workerActive(sitePage);
  await stop();
  await sitePage.goto(`${url}about`, { waitUntil: "commit" });
  await expect(sitePage.getByRole("heading", { name: "You seem to be offline" })).toBeVisible();
  await serve(site, port);
  // The browser was online the whole time, so there is no `online` event.
  await expect(sitePage.getByRole("heading", { name: "Here" })).toBeVisible();
});
