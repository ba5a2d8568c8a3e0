import { readFileSync } from "node:fs";
import { join } from "node:path";
import { constants, gzipSync } from "node:zlib";

/**
 * What the JavaScript consists of according to the source maps, with each part's share of the gzipped size (Home / Browse, kB):
 *
 *     React and react-dom                           64.4
 *     React Router                                  29.1
 *     TanStack Query                                12.8
 *     icons                                          4.7 / 5.4
 *     own: frame, routes, session, API, contract    17.0
 *     own: components                                4.9 / 6.3
 *     own: the page itself                           8.9 / 6.4
 *     module glue                                    3.9 / 4.4
 *
 * The libraries alone are 111, and other minifiers (terser, esbuild) do not make them smaller. Whatever can wait loads
 * when the page is idle: Firebase, carousels, toasts, hearts; zod comes with the first page that has a form. With Brotli
 * both pages are 128 kB.
 */
const BUDGET_KB = { JavaScript: 148, CSS: 26 } as const;

/** Pages with a budget, and the modules that the router loads for each. */
const PAGES = {
  Home: ["src/features/home/home-page.tsx"],
  Browse: ["src/features/tasks/browse/browse-page.tsx"],
} as const;

type Chunk = { file: string; css?: string[]; imports?: string[] };
type Manifest = Record<string, Chunk>;

/**
 * What a visitor downloads before a page is usable, by the Vite manifest of the client in `webRoot`: the entry, the page's
 * modules and everything they import, in gzipped kB (1,000 bytes).
 * @returns one line for each page and kind, and whether all are within their budgets.
 */
export function budgetReport(webRoot: string): { isWithin: boolean; report: string } {
  const manifest = JSON.parse(readFileSync(join(webRoot, ".vite/manifest.json"), "utf8")) as Manifest;
  const sizeOf = (file: string) =>
    gzipSync(readFileSync(join(webRoot, file)), { level: constants.Z_BEST_COMPRESSION }).length;
  let isWithin = true;
  let report = "";
  for (const [page, modules] of Object.entries(PAGES)) {
    const chunks = closure(manifest, ["index.html", ...modules]);
    const files = {
      JavaScript: new Set(chunks.map(({ file }) => file)),
      CSS: new Set(chunks.flatMap(({ css = [] }) => css)),
    };
    for (const kind of ["JavaScript", "CSS"] as const) {
      const kilobytes = [...files[kind]].reduce((sum, file) => sum + sizeOf(file), 0) / 1_000;
      const isOver = kilobytes > BUDGET_KB[kind];
      if (isOver) isWithin = false;
      report += `${page}: ${kilobytes.toFixed(1)} kB of ${kind}, ${isOver ? "OVER" : "within"} ${BUDGET_KB[kind]} kB\n`;
    }
  }
  return { isWithin, report };
}

/** The chunks of these modules and of all their static imports; dynamic imports do not count. */
function closure(manifest: Manifest, modules: readonly string[]): Chunk[] {
  const chunks = new Map<string, Chunk>();
  const visit = (name: string) => {
    if (chunks.has(name)) return;
    const chunk = manifest[name];
    if (!chunk) throw new Error(`The build has no chunk for ${name}: has the module moved?`);
    chunks.set(name, chunk);
    chunk.imports?.forEach(visit);
  };
  modules.forEach(visit);
  return [...chunks.values()];
}
