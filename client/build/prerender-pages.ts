import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import react from "@vitejs/plugin-react";
import { build, type Plugin } from "vite";
import { paths } from "../src/lib/paths.ts";
import { pageTitle, site } from "../src/lib/site.ts";
import type { PrerenderedPage } from "../src/prerender.tsx";

type Page = {
  path: string;
  file: string;
  /** What stands before ` | {brand}` in the document's title. */
  title: string;
  /** The main area of a page with a form is `inert` until React is there to keep what is typed. */
  inert?: boolean;
};

const PAGES: Page[] = [
  { path: paths.home, file: "index.html", title: "Home" },
  { path: paths.browse, file: "browsetask.html", title: "Browse Tasks", inert: true },
  { path: paths.about, file: "about.html", title: `About ${site.brand}` },
  { path: paths.terms, file: "terms.html", title: "Terms & Conditions" },
  { path: paths.privacy, file: "privacy.html", title: "Privacy Policy" },
  { path: paths.contact, file: "contact.html", title: "Contact", inert: true },
  { path: paths.login, file: "auth/login.html", title: "Login", inert: true },
  { path: paths.register, file: "auth/register.html", title: "Register", inert: true },
  // Unknown addresses get this one, with status 404.
  { path: "/404", file: "404.html", title: "Error" },
];

/** What addresses without a page of their own get: the frame only. */
const SHELL = "app.html";

/** The path patterns of all pages: any other address is a 404 (see server/src/http/web-app.ts). */
const ROUTES = "routes.json";

/**
 * After the build, writes each public page as HTML, so that it is painted and found by search engines before any script
 * has run. React then renders the same page afresh in its place: no hydration, so nothing has to match to the letter.
 */
export function prerenderPages(siteUrl: string): Plugin {
  return {
    name: "tasklane-prerender-pages",
    apply: (_config, { command, isSsrBuild }) => command === "build" && !isSsrBuild,
    async writeBundle({ dir = "dist" }) {
      const shell = await readFile(join(dir, "index.html"), "utf8");
      await writeFile(join(dir, SHELL), shell);
      const { prerender, routePatterns, close } = await openRenderer();
      try {
        for (const page of PAGES) {
          const target = join(dir, page.file);
          await mkdir(dirname(target), { recursive: true });
          await writeFile(target, fill(shell, page, await prerender(page.path), siteUrl));
        }
        await writeFile(join(dir, ROUTES), JSON.stringify(routePatterns()));
      } finally {
        await close();
      }
    },
  };
}

type Module = { prerender(path: string): Promise<PrerenderedPage>; routePatterns(): string[] };
type Renderer = Module & { close(): Promise<void> };

/** Builds src/prerender.tsx for Node, and loads it. */
async function openRenderer(): Promise<Renderer> {
  const outDir = await mkdtemp(join(tmpdir(), "tasklane-prerender-"));
  await build({
    configFile: false,
    logLevel: "warn",
    plugins: [react()],
    // Bundled whole: it runs from a folder that has no node_modules above it.
    ssr: { noExternal: true },
    build: { ssr: "src/prerender.tsx", outDir, assetsInlineLimit: 0, emptyOutDir: true },
  });
  const { prerender, routePatterns } = (await import(
    pathToFileURL(join(outDir, "prerender.js")).href
  )) as Module;
  return { prerender, routePatterns, close: () => rm(outDir, { recursive: true, force: true }) };
}

function fill(shell: string, page: Page, { html, facts }: PrerenderedPage, siteUrl: string): string {
  const { path, inert = false } = page;
  if (facts?.title !== pageTitle(page.title) || !/<h1[\s>]/.test(html))
    throw new Error(
      `${path} came out as "${facts?.title}" instead of "${pageTitle(page.title)}" with a heading.`,
    );
  const root = /<div id="root">[\s\S]*?<\/header>\s*<\/div>/;
  if (!root.test(shell)) throw new Error("index.html has no frame in #root to put the page into.");
  // Replacer functions: the page's own `$` must stay what they are.
  const content = inert ? html.replace('<main id="main"', '<main id="main" inert=""') : html;
  if (inert && content === html) throw new Error(`${path} has no <main id="main"> to keep inert.`);
  const [title, description] = [escapeHtml(facts.title), escapeHtml(facts.description)];
  const last = facts.noindex
    ? '<meta name="robots" content="noindex" />'
    : `<link rel="canonical" href="${escapeHtml(siteUrl + path)}" />`;
  return shell
    .replace(root, () => `<div id="root">${content}</div>`)
    .replace(/<title>[^<]*<\/title>/, () => `<title>${title}</title>`)
    .replace(/(<meta property="og:title" content=")[^"]*/, (_all, start) => start + title)
    .replace(
      /(<meta (?:name="|property="og:)description" content=")[^"]*/g,
      (_all, start) => start + description,
    )
    .replace("</head>", () => `${last}</head>`);
}

function escapeHtml(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll('"', "&quot;").replaceAll("<", "&lt;");
}
