import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { type Page, test as plain } from "@playwright/test";
import { expect, test } from "./fixtures.ts";

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

test("When a page cannot be fetched, then an offline page is shown until it can be", async ({
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

/** Without the checks of fixtures.ts, which only apply to the product: the worker on a small site of the test. */
plain.describe("A site with this service worker", () => {
  plain.use({ serviceWorkers: "allow" });

  plain(
    "When a new version is deployed, then users get it with the next page; while the server is down, the offline page waits for it",
    async ({ page }) => {
      const worker = builtWorker();
      let version = 1;
      const server = createServer(({ url }, response) => {
        const isScript = url?.endsWith(".js");
        response.setHeader("Content-Type", isScript ? "text/javascript" : "text/html");
        if (url === "/service-worker.js") return response.end(`${worker}// ${version}`);
        if (isScript) return response.end(`document.title = "Version ${version}"`);
        response.end(`<h1>Version ${version}</h1><script src="/app.js"></script>${REGISTER}`);
      });
      const listen = (port: number) =>
        new Promise<void>((listening) => server.listen(port, "127.0.0.1", listening));
      const stop = () => {
        server.closeAllConnections();
        return new Promise((closed) => server.close(closed));
      };
      await listen(0);
      const { port } = server.address() as AddressInfo;
      const fromWorker: string[] = [];
      page.on("response", (response) => {
        if (response.fromServiceWorker()) fromWorker.push(new URL(response.url()).pathname);
      });
      await page.goto(`http://127.0.0.1:${port}/`);
      await workerActive(page);
      for (version = 2; version < 5; version++) {
        await page.reload();
        await expect(page.getByRole("heading")).toHaveText(`Version ${version}`);
        await expect(page).toHaveTitle(`Version ${version}`);
        // The new worker stays in the waiting state until this tab is closed.
        await page.evaluate(async () => void (await (await navigator.serviceWorker.ready).update()));
      }
      expect(new Set(fromWorker)).toEqual(new Set(["/"]));
      expect(await page.evaluate(() => caches.keys())).toEqual([]);

      await stop();
      await page.goto(`http://127.0.0.1:${port}/about`, { waitUntil: "commit" });
      await expect(page.getByRole("heading", { name: "You seem to be offline" })).toBeVisible();
      await listen(port);
      // The browser was online the whole time, so there is no `online` event.
      await expect(page.getByRole("heading", { name: "Version 5" })).toBeVisible();
      await stop();
    },
  );
});
