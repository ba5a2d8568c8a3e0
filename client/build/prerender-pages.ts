import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import react from "@vitejs/plugin-react";
import { build, type Plugin } from "vite";
import { paths } from "../src/lib/paths.ts";
import type { PrerenderedPage } from "../src/prerender.tsx";

/** Public pages and the files they go to. The main area of pages with a form is `inert` until React is there to keep what is typed. */
const PAGES = [
  { path: paths.home, file: "index.html" },
  { path: paths.browse, file: "browsetask.html", inert: true },
  { path: paths.about, file: "about.html" },
  { path: paths.terms, file: "terms.html" },
  { path: paths.privacy, file: "privacy.html" },
  { path: paths.contact, file: "contact.html", inert: true },
  { path: paths.login, file: "auth/login.html", inert: true },
  { path: paths.register, file: "auth/register.html", inert: true },
];

/** What every other address gets: the frame only. */
const SHELL = "app.html";

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
      const { prerender, close } = await openRenderer();
      try {
        for (const { path, file, inert = false } of PAGES) {
          const target = join(dir, file);
          await mkdir(dirname(target), { recursive: true });
          await writeFile(target, fill(shell, await prerender(path), siteUrl + path, inert));
        }
      } finally {
        await close();
      }
    },
  };
}

type Renderer = { prerender(path: string): Promise<PrerenderedPage>; close(): Promise<void> };

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
  const { prerender } = (await import(pathToFileURL(join(outDir, "prerender.js")).href)) as Pick<
    Renderer,
    "prerender"
  >;
  return { prerender, close: () => rm(outDir, { recursive: true, force: true }) };
}

function fill(shell: string, { html, facts }: PrerenderedPage, address: string, inert: boolean): string {
  const root = /<div id="root">[\s\S]*?<\/header>\s*<\/div>/;
  if (!root.test(shell)) throw new Error("index.html has no frame in #root to put the page into.");
  // Replacer functions: the page's own `$` must stay what they are.
  const content = inert ? html.replace('<main id="main"', '<main id="main" inert=""') : html;
  if (inert && content === html) throw new Error(`${address} has no <main id="main"> to keep inert.`);
  let page = shell.replace(root, () => `<div id="root">${content}</div>`);
  if (facts) {
    const [title, description] = [escapeHtml(facts.title), escapeHtml(facts.description)];
    page = page
      .replace(/<title>[^<]*<\/title>/, () => `<title>${title}</title>`)
      .replace(/(<meta property="og:title" content=")[^"]*/, (_all, start) => start + title)
      .replace(
        /(<meta (?:name="|property="og:)description" content=")[^"]*/g,
        (_all, start) => start + description,
      );
  }
  return page.replace("</head>", () => `<link rel="canonical" href="${escapeHtml(address)}" /></head>`);
}

function escapeHtml(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll('"', "&quot;").replaceAll("<", "&lt;");
}
