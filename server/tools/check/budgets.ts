import { readFileSync } from "node:fs";
import { join } from "node:path";
import { constants, gzipSync } from "node:zlib";

/** What a visitor downloads before a page is usable, and its budget, both in gzipped kB (1,000 bytes). */
export type DownloadSize = { page: string; kind: "JavaScript" | "CSS"; kilobytes: number; budget: number };

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
const BUDGET_KB = { JavaScript: 147, CSS: 26 } as const;

/** Pages with a budget, and the modules that the router loads for each. */
const PAGES = {
  Home: ["src/features/home/home-page.tsx"],
  Browse: ["src/features/tasks/browse/browse-page.tsx"],
} as const;

type Chunk = { file: string; css?: string[]; imports?: string[] };
type Manifest = Record<string, Chunk>;

/** Measures the client built in `webRoot` by its Vite manifest: the entry, a page's modules and everything they import. */
export function measureBudgets(webRoot: string): DownloadSize[] {
  const manifest = JSON.parse(readFileSync(join(webRoot, ".vite/manifest.json"), "utf8")) as Manifest;
  const kilobytes = (files: Iterable<string>) => {
    let bytes = 0;
    for (const file of files)
      bytes += gzipSync(readFileSync(join(webRoot, file)), { level: constants.Z_BEST_COMPRESSION }).length;
    return bytes / 1000;
  };
  return Object.entries(PAGES).flatMap(([page, modules]) => {
    const chunks = closure(manifest, ["index.html", ...modules]);
    const js = new Set(chunks.map((chunk) => chunk.file));
    const css = new Set(chunks.flatMap((chunk) => chunk.css ?? []));
    return [
      { page, kind: "JavaScript" as const, kilobytes: kilobytes(js), budget: BUDGET_KB.JavaScript },
      { page, kind: "CSS" as const, kilobytes: kilobytes(css), budget: BUDGET_KB.CSS },
    ];
  });
}

/** The chunks of these modules and of all their static imports; dynamic imports do not count. */
function closure(manifest: Manifest, modules: readonly string[]): Chunk[] {
  const seen = new Map<string, Chunk>();
  const visit = (name: string) => {
    if (seen.has(name)) return;
    const chunk = manifest[name];
    if (!chunk) throw new Error(`The build has no chunk for ${name}: has the module moved?`);
    seen.set(name, chunk);
    for (const imported of chunk.imports ?? []) visit(imported);
  };
  for (const name of modules) visit(name);
  return [...seen.values()];
}

/** One line for each page and kind, and whether all are within their budgets. */
export function budgetReport(webRoot: string): { isWithin: boolean; report: string } {
  const measured = measureBudgets(webRoot).map((each) => ({ ...each, over: each.kilobytes > each.budget }));
  const lines = measured.map(({ page, kind, kilobytes, budget, over }) => {
    return `${page}: ${kilobytes.toFixed(1)} kB of ${kind}, ${over ? "OVER" : "within"} ${budget} kB\n`;
  });
  return { isWithin: measured.every(({ over }) => !over), report: lines.join("") };
}
