import { expect, it } from "vitest";
import { fillPage } from "./prerender-html.ts";

const TEMPLATE =
  '<html><head><!--head--><title>x</title><!--/head--></head><body><div id="root"><!--app-->old<!--/app--></div><!--data--></body></html>';
const HOSTILE = `</title></script><script>alert(1)</script>"' $& $1 &amp;`;

const DATA = {
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
