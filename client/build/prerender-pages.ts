import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import react from "@vitejs/plugin-react";
import { build, type Plugin } from "vite";
import { paths } from "../src/lib/paths.ts";
import type * as Prerender from "../src/prerender.tsx";
import { productionRouter } from "./production-router.ts";

/** The last is served for unknown URLs, with status 404. */
const PAGES = [
  paths.home,
  paths.browse,
  paths.about,
  paths.terms,
  paths.privacy,
  paths.contact,
  paths.login,
  paths.register,
  "/404",
];

/** The app shell: served for URLs that are not prerendered, and the template that the server renders into. */
const SHELL = "app.html";

/** The path patterns of all pages: any other URL is a 404 (see server/src/http/web-app.ts). */
const ROUTES = "routes.json";

/** The module with which the server renders pages. Like every dotfile it is not served. */
const RENDERER = ".render";

/**
 * After the build, writes each public page as HTML, which browsers can paint and search engines index before any script
 * has run, and the module with which the server renders pages with data.
 */
export function prerenderPages(siteUrl: string): Plugin {
  return {
    name: "tasklane-prerender-pages",
    apply: (_config, { command, isSsrBuild }) => command === "build" && !isSsrBuild,
    async writeBundle({ dir = "dist" }) {
      const template = await readFile(join(dir, "index.html"), "utf8");
      const { renderPage, routePatterns } = await buildRenderer(resolve(dir, RENDERER));
      for (const url of PAGES) {
        const page = await renderPage({ template, origin: siteUrl, url });
        if (!page || !/<h1[\s>]/.test(page.html)) throw new Error(`${url} was rendered without a heading.`);
        const target = join(dir, `${url.slice(1) || "index"}.html`);
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
    // Bundled with its dependencies, so nothing has to be installed where it runs.
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
