import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { brotliCompressSync, gzipSync } from "node:zlib";
import supertest from "supertest";
import { afterAll, describe, expect, onTestFinished, test, vi } from "vitest";
import { expectProblem, testFirebase, useHarness } from "../../test/harness.ts";

const THEME_SCRIPT = "document.documentElement.dataset.theme='dark'";
const PAGE = `<!doctype html><script>${THEME_SCRIPT}</script><script type="module" src="/assets/app-1a2b.js"></script>`;
const SCRIPT = "console.log('app')".repeat(50);
/** A folder with these files, until the end of the tests. */
function folderOf(files: Record<string, string | Buffer>): string {
  const folder = mkdtempSync(join(tmpdir(), "web-app-"));
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), content);
  }
  afterAll(() => rmSync(folder, { recursive: true }));
  return folder;
}
const PAGES = {
  ...{ "index.html": PAGE, "app.html": "<p>frame</p>", "about.html": "<p>about</p>" },
  "404.html": "<p>not found</p>",
  "routes.json": JSON.stringify([
    ...["/", "/browsetask", "/about", "/taskdetails/:id", "/people/:id"],
    ...["/dash", "/dash/dashboard", "/dash/updatetask/:id"],
  ]),
};
const webRoot = folderOf({
  ...PAGES,
  ...{ "favicon.svg": "<svg/>", ".secret": "hidden" },
  "assets/app-1a2b.js": SCRIPT,
  "assets/app-1a2b.js.br": brotliCompressSync(SCRIPT),
  "assets/app-1a2b.js.gz": gzipSync(SCRIPT),
  "assets/old-3c4d.js": SCRIPT,
  "assets/old-3c4d.js.br": brotliCompressSync(SCRIPT),
});

const settings = { env: "test", corsOrigins: [], firebase: testFirebase(), trustProxy: 0, webRoot } as const;
const harness = useHarness({ settings: { ...settings, corsOrigins: [] } });
const BROWSER = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8";
const get = (path: string, headers: Record<string, string> = {}) => {
  return supertest(harness.app)
    .get(path)
    .set({ Accept: BROWSER, ...headers });
};

describe("pages", () => {
  test("When a page was prerendered, then its own file is sent, and for any other page the empty frame", async () => {
    const open = async (path: string) => (await get(path).expect(200)).text;
    expect(await open("/about")).toBe("<p>about</p>");
    expect(await open("/about/")).toBe("<p>about</p>");
    expect(await open("/")).toBe(PAGE);
    for (const path of ["/browsetask", "/taskdetails/6b013f7acde63707dd8cd5c7", "/DASH/dashboard/", "/dash"])
      expect(await open(path), path).toBe("<p>frame</p>");
  });

  test("When the URL of a page contains an encoded per cent sign, then that page is sent", async () => {
    expect((await get("/dash/updatetask/100%25").expect(200)).text).toBe("<p>frame</p>");
  });

  test("When a URL is not a page of the client, then the client's own 404 page is sent, with a 404", async () => {
    for (const path of [
      "/tasksomething",
      "/about/more",
      "/dash/nothing",
      "/taskdetails",
      "/taskdetails/a/b",
    ]) {
      const response = await get(path).expect(404);
      expect(response.text, path).toBe("<p>not found</p>");
      expect(response.headers["content-type"]).toBe("text/html; charset=utf-8");
    }
  });

  test("When a browser opens a page, then it has to revalidate it each time", async () => {
    for (const path of ["/", "/browsetask", "/dash/dashboard", "/about"]) {
      const response = await get(path).expect(200);
      expect(response.headers["content-type"]).toBe("text/html; charset=utf-8");
      expect(response.headers["cache-control"]).toBe("no-cache");
    }
    await supertest(harness.app).head("/browsetask").set("Accept", BROWSER).expect(200);
  });

  test("When a browser opens a URL below the API that does not exist, then it gets the API's 404, not a page", async () => {
    for (const path of ["/tasks/a/b/c", `/tasks/${"a".repeat(24)}`, "/TASKS/x/y/z", "/health/more"]) {
      expect((await get(path)).status).toBe(404);
      expect((await get(path)).headers["content-type"]).toContain("application/problem+json");
    }
    expect((await get("/tasks").expect(200)).body).toEqual([]);
  });

  test("When a client requests JSON, or writes, at a URL that does not exist, then 404 as a problem", async () => {
    expectProblem(await get("/nothing", { Accept: "application/json" }), "route-not-found");
    expectProblem(await supertest(harness.app).post("/browsetask").set("Accept", BROWSER), "route-not-found");
  });

  test("When the page contains an inline script, then the Content-Security-Policy allows exactly that script", async () => {
    const hash = createHash("sha256").update(THEME_SCRIPT).digest("base64");
    const { headers } = await get("/");
    expect(headers["content-security-policy"]).toMatch(
      new RegExp(`script-src [^;]*'sha256-${hash.replace(/[+/]/g, "\\$&")}'`),
    );
  });
});

describe("files", () => {
  const path = "/assets/app-1a2b.js";

  test("When a hashed file is requested, then it is sent in the best encoding the browser accepts, cacheable forever", async () => {
    const wanted = {
      "gzip, deflate, br, zstd": "br",
      "gzip, deflate": "gzip",
      "br;q=0, gzip": "gzip",
      identity: undefined,
    };
    for (const [accepted, encoding] of Object.entries(wanted)) {
      const response = await get(path, { "Accept-Encoding": accepted }).expect(200);
      expect(response.headers["content-encoding"], accepted).toBe(encoding);
      expect(response.headers["content-type"]).toMatch(/^text\/javascript; charset=utf-8$/i);
      expect(response.headers["cache-control"]).toBe("public, max-age=31536000, immutable");
      expect(response.headers["vary"]).toContain("Accept-Encoding");
      expect(response.text).toBe(SCRIPT);
    }
  });

  test("When a compressed file has been deleted since the start, then the 404 is not labelled as compressed", async () => {
    for (const name of ["old-3c4d.js", "old-3c4d.js.br"]) rmSync(join(webRoot, "assets", name));
    const response = await get("/assets/old-3c4d.js", { "Accept-Encoding": "br" });
    expectProblem(response, "route-not-found");
    expect(response.headers).not.toHaveProperty("content-encoding");
  });

  test("When a file is missing, hidden or outside the folder, then 404 as a problem instead of a page", async () => {
    const paths = [
      "/assets/gone-9z9z.js",
      "/assets/gone",
      "/humans.txt",
      "/.secret",
      "/assets/..%2f.secret",
      "/..%2f..%2fetc/passwd.txt",
      "/%00.js",
    ];
    for (const missing of paths) expectProblem(await get(missing), "route-not-found");
    expectProblem(await get("/%E0%A4%A"), "bad-request");
  });

  test("When a file at the root is requested, then it has to be revalidated each time", async () => {
    const response = await get("/favicon.svg").expect(200);
    expect(response.headers["cache-control"]).toBe("no-cache");
    expect(response.headers["content-type"]).toContain("image/svg+xml");
  });
});

describe("rendered pages", () => {
  const rendered = folderOf({
    ...PAGES,
    // A stand-in for the client's renderer (client/src/prerender.tsx).
    ".render/prerender.mjs": `export function renderedUrl(url) {
      const known = new URLSearchParams(url.split("?")[1]).get("known");
      return url.split("?")[0] + (known ? "?known=" + known : "");
    }
    export const sent = [];
    export async function renderPage({ template, origin, url, send }) {
      while (url === "/people/endless") sent.push(await send("/tasks?limit=1"));
      if (url.startsWith("/dash")) return undefined;
      if (url.startsWith("/people/slow")) await new Promise(() => {});
      if (url === "/people/failing") throw new Error("no");
      const { status } = await send("/tasks/" + url.slice("/taskdetails/".length));
      const [task] = await (await send("/tasks?limit=1")).json();
      return { status: url === "/404" || status === 404 ? 404 : 200, html: [template, origin, url, task?.title].join(" ") };
    }`,
  });
  const product = useHarness({
    settings: { ...settings, corsOrigins: [], webRoot: rendered, webUrl: "https://tasklane.example" },
  });
  const open = (path: string, headers: Record<string, string> = {}) =>
    supertest(product.app)
      .get(path)
      .set({ Accept: BROWSER, ...headers });

  // Pages take too long as soon as the test aborts it.
  function pageDeadline(): AbortController {
    const deadline = new AbortController();
    const timeout = vi.spyOn(AbortSignal, "timeout").mockReturnValue(deadline.signal);
    onTestFinished(() => timeout.mockRestore());
    return deadline;
  }

  test("When a page is opened, then it contains the API's current data and has to be revalidated each time", async () => {
    const { _id } = await product.insertTask({ title: "A logo" });
    const path = `/taskdetails/${_id.toHexString()}`;
    const response = await open(path).expect(200);
    expect(response.text).toBe(`<p>frame</p> https://tasklane.example ${path} A logo`);
    expect(response.headers).toMatchObject({
      "content-type": "text/html; charset=utf-8",
      "cache-control": "no-cache",
      vary: "Accept-Encoding",
    });
    expect(response.headers["content-security-policy"]).toContain("script-src 'self'");
    await open(path, { "If-None-Match": response.headers["etag"] ?? "" }).expect(304);
    await supertest(product.app).head(path).set("Accept", BROWSER).expect(200);
  });

  test("When the page's task or the page itself does not exist, then 404; all unknown URLs share one page", async () => {
    expect((await open(`/taskdetails/${"a".repeat(24)}`).expect(404)).text).toContain("<p>frame</p>");
    expect((await open("/nothing/here?a=b").expect(404)).text).toContain(" /404 ");
  });

  test("When a URL has a query, then the page is rendered for the parameters that it knows", async () => {
    expect((await open("/about?utm=1")).text).toContain(" /about ");
    expect((await open("/browsetask?x=1&known=a&y=?")).text).toContain(" /browsetask?known=a ");
    expect((await open("/taskdetails/a%3Fb")).text).toContain(" /taskdetails/a%3Fb ");
  });

  test("When a page has no public content or fails, then the empty frame is sent", async () => {
    for (const path of ["/dash/dashboard", "/people/failing"])
      expect((await open(path).expect(200)).text, path).toBe("<p>frame</p>");
  });

  test("When many pages take too long, then the empty frame is sent, and only those that were rendered fill the log", async () => {
    product.log.length = 0;
    const deadline = pageDeadline();
    let sent = 0;
    const paths = Array.from({ length: 20 }, (_, at) => `/people/slow?known=${at}`);
    const opened = paths.map(async (path) => {
      expect((await open(path).expect(200)).text).toBe("<p>frame</p>");
      sent++;
    });
    await expect.poll(() => sent).toBe(12);
    deadline.abort();
    await Promise.all(opened);
    expect(product.log.filter((line) => line.includes("without its content"))).toHaveLength(8);
  });

  test("When a page takes too long, then nothing more is requested for it", async () => {
    const deadline = pageDeadline();
    const { sent } = await import(pathToFileURL(join(rendered, ".render/prerender.mjs")).href);
    const opened = open("/people/endless").expect(200).then();
    await expect.poll(() => sent.length).toBeGreaterThan(1);
    deadline.abort();
    expect((await opened).text).toBe("<p>frame</p>");
    const before = sent.length;
    await new Promise((resolve) => setTimeout(resolve, 500));
    // The last one was under way.
    expect(sent.length - before).toBeLessThanOrEqual(1);
  });

  test("When the renderer's file is requested, then 404", async () => {
    expectProblem(await open("/.render/prerender.mjs"), "route-not-found");
  });
});
