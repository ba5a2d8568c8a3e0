import { readFileSync } from "node:fs";
import { site } from "../src/lib/site.ts";

/**
 * Shown in place of a page that cannot be fetched, so it must be self-contained. It retries with increasing delays:
 * browsers may report "online" too early, and report nothing when it was the server that was down.
 */
const OFFLINE_PAGE = readFileSync(new URL("offline.html", import.meta.url), "utf8");

/**
 * The service worker only shows the offline page when a navigation fails. It caches and handles nothing else, so only
 * that page can be outdated, and a new worker can wait until all tabs of the old one are closed: taking
 * over immediately sometimes hung page loads in browsers with open developer tools. (Rejected: vite-plugin-pwa with
 * Workbox, whose precache would delay a whole release until those tabs are closed.)
 */
export function serviceWorker(): string {
  return `const page = ${JSON.stringify(OFFLINE_PAGE.replaceAll("%BRAND%", site.brand))};
addEventListener("activate", (event) => event.waitUntil(registration.navigationPreload?.enable()));
const load = async ({ request, preloadResponse }) => (await preloadResponse) ?? fetch(request);
const offline = () => new Response(page, { status: 503, headers: { "Content-Type": "text/html; charset=utf-8" } });
addEventListener("fetch", (event) => {
  if (event.request.mode === "navigate") event.respondWith(load(event).catch(offline));
});
`;
}
