import { expect, it } from "vitest";
import { fillPage } from "./prerender-html.ts";

const TEMPLATE =
  '<html><head><!--head--><title>x</title><!--/head--></head><body><div id="root"><!--app-->old<!--/app--></div><!--data--></body></html>';
const HOSTILE = `</title></script><script>alert(1)</script>"' $& $1 &amp;`;

const DATA = {
  url: "/taskdetails/1",
  now: 1,
  loaderData: {},
  queries: [[["tasks", "visitors", "1"], { title: HOSTILE }]],
} as const;

const fill = (overrides: Partial<Parameters<typeof fillPage>[1]> = {}) =>
  new DOMParser().parseFromString(
    fillPage(TEMPLATE, {
      origin: "https://tasklane.example",
      html: "<h1>$& A task</h1>",
      facts: {
        path: "/taskdetails/1",
        title: HOSTILE,
        description: HOSTILE,
        missing: false,
        unlisted: false,
        feed: undefined,
        facts: { name: HOSTILE },
      },
      data: DATA,
      ...overrides,
    }),
    "text/html",
  );
const contentOf = (page: Document, name: string) =>
  page.head.querySelector<HTMLMetaElement>(`[name="${name}"],[property="${name}"]`)?.content;

it("When texts contain markup, then head, content and data hold them literally, and no script is injected", () => {
  const page = fill();
  expect(page.title).toBe(HOSTILE);
  for (const name of ["description", "og:title", "og:description"])
    expect(contentOf(page, name)).toBe(HOSTILE);
  expect(page.getElementById("root")?.textContent).toBe("$& A task");
  const [structuredData, data, ...others] = page.querySelectorAll("script");
  expect(others).toEqual([]);
  expect(structuredData?.type).toBe("application/ld+json");
  expect(JSON.parse(structuredData?.textContent ?? "")).toEqual({ name: HOSTILE });
  expect(data?.type).toBe("application/json");
  expect(JSON.parse(data?.textContent ?? "")).toEqual(DATA);
});

it("When a page exists, then it has a canonical URL and a preview image with size and alt text; a missing page is not indexed", () => {
  const page = fill();
  const url = "https://tasklane.example/taskdetails/1";
  expect(page.querySelector('link[rel="canonical"]')?.getAttribute("href")).toBe(url);
  expect(contentOf(page, "og:url")).toBe(url);
  expect(contentOf(page, "og:image")).toBe("https://tasklane.example/screenshot.jpg");
  expect(contentOf(page, "og:image:width")).toBe("1280");
  expect(contentOf(page, "og:image:alt")).toContain("Tasklane");
  expect(contentOf(page, "robots")).toBeUndefined();

  const facts = {
    path: "/404",
    title: "Error",
    description: "",
    missing: true,
    unlisted: true,
    feed: undefined,
  };
  const missing = fill({ facts });
  expect(contentOf(missing, "robots")).toBe("noindex");
  expect(missing.querySelector("link, script")).toBeNull();
});

it("When a page has a feed, then the head links to it", () => {
  const facts = {
    path: "/browsetask",
    title: "Browse",
    description: "",
    missing: false,
    unlisted: false,
    feed: "/tasks.atom?a=1&b=2",
  };
  const link = fill({ facts }).querySelector('link[rel="alternate"]');
  expect(link?.getAttribute("href")).toBe("/tasks.atom?a=1&b=2");
  expect(link?.getAttribute("type")).toBe("application/atom+xml");
});
