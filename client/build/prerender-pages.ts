import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import react from "@vitejs/plugin-react";
import { build, type Plugin } from "vite";
import { paths } from "../src/lib/paths.ts";
import { pageTitle, site } from "../src/lib/site.ts";
import type * as Prerender from "../src/prerender.tsx";
import { productionRouter } from "./production-router.ts";

/** `title` is what stands before ` | {brand}` in the document's title. */
type Page = { path: string; file: string; title: string };

const PAGES: Page[] = [
  { path: paths.home, file: "index.html", title: "Home" },
  { path: paths.browse, file: "browsetask.html", title: "Browse Tasks" },
  { path: paths.about, file: "about.html", title: `About ${site.brand}` },
  { path: paths.terms, file: "terms.html", title: "Terms & Conditions" },
  { path: paths.privacy, file: "privacy.html", title: "Privacy Policy" },
  { path: paths.contact, file: "contact.html", title: "Contact" },
  { path: paths.login, file: "auth/login.html", title: "Login" },
  { path: paths.register, file: "auth/register.html", title: "Register" },
  // Unknown addresses get this one, with status 404.
  { path: "/404", file: "404.html", title: "Error" },
];

/** What addresses without a page of their own get, and what the server fills: the frame only. */
const SHELL = "app.html";

/** The path patterns of all pages: any other address is a 404 (see server/src/http/web-app.ts). */
const ROUTES = "routes.json";

/** The program that renders pages, for the server to use; not served, like everything that begins with a dot. */
const RENDERER = ".render";

/**
 * After the build, writes each public page as HTML, so that it is painted and found by search engines before any script
 * has run, and the program by which the server renders it with its tasks in it. React then renders the same page afresh
 * in its place: no hydration, so nothing has to match to the letter.
 */
export function prerenderPages(siteUrl: string): Plugin {
  return {
    name: "tasklane-prerender-pages",
    apply: (_config, { command, isSsrBuild }) => command === "build" && !isSsrBuild,
    async writeBundle({ dir = "dist" }) {
      const template = await readFile(join(dir, "index.html"), "utf8");
      const { renderPage, routePatterns } = await buildRenderer(resolve(dir, RENDERER));
      for (const { path, file, title } of PAGES) {
        const page = await renderPage({ template, origin: siteUrl, url: path });
        if (page?.facts.title !== pageTitle(title) || !/<h1[\s>]/.test(page.html))
          throw new Error(
            `${path} came out as "${page?.facts.title}" instead of "${pageTitle(title)}" with a heading.`,
          );
        const target = join(dir, file);
        await mkdir(dirname(target), { recursive: true });
        await writeFile(target, page.html);
      }
      await writeFile(join(dir, SHELL), template);
      await writeFile(join(dir, ROUTES), JSON.stringify(routePatterns()));
    },
  };
}

/** Builds src/prerender.tsx for Node, and loads it. */
async function buildRenderer(outDir: string): Promise<typeof Prerender> {
  await build({
    configFile: false,
    logLevel: "warn",
    plugins: [productionRouter(), react()],
    // Bundled whole: nothing has to be installed where it runs.
    ssr: { noExternal: true },
    define: { "process.env.NODE_ENV": '"production"' },
    build: {
      ssr: "src/prerender.tsx",
      outDir,
      assetsInlineLimit: 0,
      emptyOutDir: true,
      copyPublicDir: false,
      rolldownOptions: { output: { entryFileNames: "[name].mjs", chunkFileNames: "[name]-[hash].mjs" } },
    },
  });
  return import(pathToFileURL(join(outDir, "prerender.mjs")).href);
}
