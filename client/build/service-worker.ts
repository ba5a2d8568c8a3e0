import { site } from "../src/lib/site.ts";

/**
 * Shown in place of a page that cannot be fetched, so it must be self-contained. It retries with increasing delays:
 * browsers may report "online" too early, and report nothing when it was the server that was down.
 */
const OFFLINE_PAGE = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Offline | ${site.brand}</title>
<script>try{document.documentElement.style.colorScheme=localStorage.getItem("theme")??""}catch{}</script>
<script>
let wait, timer;
const retryLater = () => { timer = setTimeout(retryNow, wait); wait = Math.min(2 * wait, 30_000); };
const retryNow = () => fetch(location.href, { method: "HEAD", cache: "no-store" }).then(() => location.reload(), retryLater);
const resetDelay = () => { clearTimeout(timer); wait = 1_000; };
addEventListener("online", () => { resetDelay(); retryNow(); });
resetDelay();
retryLater();
</script>
<style>
body{margin:0;min-height:100dvh;display:grid;place-items:center;font:1rem/1.6 system-ui,sans-serif;background:light-dark(#f6f4ef,#17211e);color:light-dark(#1c2a26,#e8efec)}
main{max-width:32rem;padding:1.5rem;text-align:center}
p.brand{font-weight:600;font-size:1.25rem;margin:0}
h1{font-size:1.75rem;line-height:1.2;margin:1.5rem 0 .75rem}
a{display:inline-block;margin-top:1rem;padding:.7rem 1.4rem;border-radius:.5rem;background:#0f5c4d;color:#fff;font-weight:600;text-decoration:none}
a:focus-visible{outline:3px solid #f2a53b;outline-offset:3px}
</style>
<main>
<p class="brand">${site.brand}</p>
<h1>You seem to be offline</h1>
<p>We can’t reach ${site.brand} right now. What you typed into a form is kept in this browser. This page reloads automatically once the connection is back.</p>
<a href="">Try again</a>
</main>
</html>
`;

/**
 * The service worker only shows the offline page when a navigation fails. It caches and handles nothing else, so only
 * that page can be outdated, and a new worker can wait until all tabs of the old one are closed: taking
 * over immediately sometimes hung page loads in browsers with open developer tools. (Rejected: vite-plugin-pwa with
 * Workbox, whose precache would delay a whole release until those tabs are closed.)
 */
export function serviceWorker(): string {
  return `const page = ${JSON.stringify(OFFLINE_PAGE)};
addEventListener("activate", (event) => event.waitUntil(registration.navigationPreload?.enable()));
const load = async ({ request, preloadResponse }) => (await preloadResponse) ?? fetch(request);
const offline = () => new Response(page, { status: 503, headers: { "Content-Type": "text/html; charset=utf-8" } });
addEventListener("fetch", (event) => {
  if (event.request.mode === "navigate") event.respondWith(load(event).catch(offline));
});
`;
}
