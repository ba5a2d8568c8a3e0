import { matchRoutes } from "react-router-dom";
import { type Plugin, type Rollup, runnerImport } from "vite";
import type * as Prerender from "../src/prerender.tsx";

/** Determines who is signed in as soon as it is evaluated. */
const SESSION_MODULE = "/src/auth/firebase.ts";

/** Starts the app even if no paint is reported, as in a background tab. In ms after the styles have loaded. */
const START_TIMEOUT_MS = 1_000;

const ENTRY = /<script type="module" crossorigin src="([^"]+)"><\/script>\s*/;
const PRELOADS = /<link rel="modulepreload"[^>]*>\s*/g;

/**
 * Decides when the app's files are fetched and when it starts. A prerendered page is painted first, so that its styles
 * and font do not compete for a slow connection or CPU. Any other page fetches all files of the app immediately and in
 * parallel, which saves one or two round trips. All URLs share one index.html, so inline scripts decide by the path.
 */
export function appStart(): Plugin {
  return {
    name: "tasklane-app-start",
    transformIndexHtml: {
      order: "post",
      handler: async (html, { bundle, chunk: entry }) => {
        if (!bundle || !entry) return html;
        if (!ENTRY.test(html)) throw new Error("index.html has no entry script where Vite puts it.");
        const common = withImports(bundle, [entry.fileName]);
        const session = chunkOf(bundle, SESSION_MODULE);
        const files = (await modulesByPath()).map(([path, modules]) => {
          const needed = withImports(
            bundle,
            modules.map((module) => chunkOf(bundle, module)),
          );
          return [path, [...needed].filter((file) => !common.has(file)).map(assetName)] as const;
        });
        const scripts = [...common].filter((file) => file.endsWith(".js")).map(assetName);
        return {
          html: html.replace(ENTRY, "").replaceAll(PRELOADS, ""),
          tags: [
            // Before the stylesheet, which would block it.
            {
              tag: "script",
              children: fetchScript(scripts, Object.fromEntries(files), assetName(session)),
              injectTo: "head-prepend",
            },
            { tag: "script", children: startScript(entry.fileName, session), injectTo: "body" },
          ],
        };
      },
    },
  };
}

/**
 * The modules that the router loads for each page, by its path pattern. Pages behind login need the session as well. Vite
 * writes a module's path into the function that imports it.
 */
async function modulesByPath(): Promise<[pattern: string, modules: string[]][]> {
  const { module } = await runnerImport<typeof Prerender>("src/prerender.tsx", { configFile: false });
  return module.routePatterns().map((pattern) => {
    const matches = matchRoutes(module.routes, pattern) ?? [];
    const modules = matches.flatMap(({ route: { lazy, middleware } }) => [
      ...(middleware ? [SESSION_MODULE] : []),
      ...(/"(\/src\/.+)"/.exec(String(lazy))?.slice(1) ?? []),
    ]);
    return [pattern, modules];
  });
}

/**
 * Defines `fetchApp`, and calls it if the page is only an app shell, as those behind login are, or, for a task, has its
 * public fields only.
 */
function fetchScript(scripts: string[], files: Record<string, string[]>, session: string): string {
  return [
    "const p=location.pathname,add=(rel,as,href)=>{",
    'const l=document.createElement("link");l.rel=rel;if(as)l.as=as;l.crossOrigin="";l.href=href;document.head.append(l)};',
    `const m=${JSON.stringify(files)},page=m[p]||m[p.replace(/[^/]+$/,":id")]||[],`,
    `isShell=page.includes(${JSON.stringify(session)}),fetchApp=()=>{`,
    `for(const f of [...${JSON.stringify(scripts)},...page])`,
    'f.endsWith(".css")?add("preload","style","/assets/"+f):add("modulepreload","","/assets/"+f)};',
    "isShell&&fetchApp();",
  ].join("");
}

/**
 * Starts the app: after the first paint if the page has content, immediately if it is an app shell. In the latter case
 * the session starts too, so the identity provider is queried while most of the app is still loading.
 */
function startScript(entry: string, session: string): string {
  return [
    "let started=false;const start=()=>{if(started)return;started=true;if(!isShell)fetchApp();",
    'const s=document.createElement("script");s.type="module";s.crossOrigin="";',
    `s.src=${JSON.stringify(`/${entry}`)};document.head.append(s)};`,
    `if(isShell){import(${JSON.stringify(`/${session}`)}).catch(()=>{});start()}`,
    'else{new PerformanceObserver(start).observe({type:"paint",buffered:true});',
    `setTimeout(start,${START_TIMEOUT_MS})}`,
  ].join("");
}

function assetName(file: string): string {
  return file.replace(/^assets\//, "");
}

function chunkOf(bundle: Rollup.OutputBundle, module: string): string {
  for (const [file, output] of Object.entries(bundle)) {
    if (output.type === "chunk" && output.moduleIds.some((id) => id.endsWith(`/client${module}`)))
      return file;
  }
  throw new Error(`The build has no chunk for ${module}: has the module moved?`);
}

/** These chunks with everything they import statically, transitively, and their styles. */
function withImports(bundle: Rollup.OutputBundle, files: string[]): Set<string> {
  const seen = new Set<string>();
  const visit = (file: string) => {
    const output = bundle[file];
    if (seen.has(file) || output?.type !== "chunk") return;
    seen.add(file);
    for (const style of output.viteMetadata?.importedCss ?? []) seen.add(style);
    for (const imported of output.imports) visit(imported);
  };
  for (const file of files) visit(file);
  return seen;
}
