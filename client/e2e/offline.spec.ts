import { readFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { Page } from "@playwright/test";
import { expect, test } from "./fixtures.ts";

// Elsewhere no service worker runs: it would stand between the page and what a test makes of its requests.
test.use({
  serviceWorkers: "allow",
  expectedNoise: { patterns: [/ERR_INTERNET_DISCONNECTED/, /status of 503/] },
});

const builtWorker = () =>
  readFileSync(new URL("../../.tasklane/e2e-client/service-worker.js", import.meta.url), "utf8");

const underControl = (page: Page) =>
  page.waitForFunction(() => navigator.serviceWorker.controller?.state === "activated");

test("When a page cannot be fetched, then it says so, and is there by itself once it can @once", async ({
  page,
  context,
}) => {
  await page.goto("/");
  await underControl(page);
  await context.setOffline(true);
  await page.goto("/about", { waitUntil: "commit" });
  await expect(page.getByRole("heading", { name: "You seem to be offline" })).toBeVisible();
  await expect(page.getByRole("link", { name: "Try again" })).toBeVisible();
  await context.setOffline(false);
  await expect(page.getByRole("heading", { level: 1, name: "About" })).toBeVisible();
});

test("When a new version is deployed, then whoever has the service worker gets it with the next page @once", async ({
  browser,
}) => {
  const worker = builtWorker();
  let version = 1;
  const server = createServer(({ url }, response) => {
    const isScript = url?.endsWith(".js");
    response.setHeader("Content-Type", isScript ? "text/javascript" : "text/html");
    if (url === "/service-worker.js") return response.end(`${worker}// ${version}`);
    if (isScript) return response.end(`document.title = "Version ${version}"`);
    const register = 'navigator.serviceWorker.register("/service-worker.js")';
    response.end(`<h1>Version ${version}</h1><script src="/app.js"></script><script>${register}</script>`);
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  const context = await browser.newContext({ serviceWorkers: "allow" });
  try {
    const page = await context.newPage();
    const fromWorker: string[] = [];
    page.on("response", (response) => {
      if (response.fromServiceWorker()) fromWorker.push(new URL(response.url()).pathname);
    });
    await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
    await underControl(page);
    for (version = 2; version < 4; version++) {
      await page.reload();
      await expect(page.getByRole("heading")).toHaveText(`Version ${version}`);
      await expect(page).toHaveTitle(`Version ${version}`);
      // The new worker does not wait for the old one's tabs to close.
      await page.evaluate(async () => (await navigator.serviceWorker.ready).update());
      await page.waitForFunction(async () => {
        const { waiting, installing } = await navigator.serviceWorker.ready;
        return !waiting && !installing;
      });
      await underControl(page);
    }
    expect(fromWorker.every((path) => path === "/")).toBe(true);
    expect(await page.evaluate(() => caches.keys())).toEqual([]);
  } finally {
    await context.close();
    await new Promise((closed) => server.close(closed));
  }
});

test("When the server is away for a while, then the page that waits for it is there by itself after that @once", async ({
  browser,
}) => {
  const worker = builtWorker();
  const serve = async (port: number) => {
    const server = createServer(({ url }, response) => {
      const isWorker = url === "/service-worker.js";
      response.setHeader("Content-Type", isWorker ? "text/javascript" : "text/html");
      response.end(
        isWorker
          ? worker
          : `<h1>Here</h1><script>navigator.serviceWorker.register("/service-worker.js")</script>`,
      );
    });
    await new Promise<void>((listening) => server.listen(port, "127.0.0.1", listening));
    return server;
  };
  const stop = (server: Server) => {
    server.closeAllConnections();
    return new Promise((closed) => server.close(closed));
  };
  let server = await serve(0);
  const { port } = server.address() as AddressInfo;
  const context = await browser.newContext({ serviceWorkers: "allow" });
  try {
    const page = await context.newPage();
    await page.goto(`http://127.0.0.1:${port}/`);
    await underControl(page);
    await stop(server);
    await page.goto(`http://127.0.0.1:${port}/about`, { waitUntil: "commit" });
    await expect(page.getByRole("heading", { name: "You seem to be offline" })).toBeVisible();
    server = await serve(port);
    // The browser was online all the time, so no event tells it.
    await expect(page.getByRole("heading", { name: "Here" })).toBeVisible();
  } finally {
    await context.close();
    await stop(server);
  }
});
