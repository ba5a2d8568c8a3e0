import type { Plugin, Rollup } from "vite";
import { paths } from "../src/lib/paths.ts";

/** Asks who is signed in as soon as it runs. */
const SESSION_MODULE = "auth/open-gateway.ts";
/** What comes before any page for signed-in people. */
const GUARD_MODULES = [SESSION_MODULE, "lib/drafts.ts"];

/** The modules that the router loads for pages that come with their content (see src/app/routes.tsx). */
const FILLED_PAGES: Record<string, string[]> = {
  [paths.home]: ["app/pages/home.tsx"],
  [paths.browse]: ["app/pages/browse.tsx"],
  [paths.about]: ["features/pages/about.tsx"],
  [paths.contact]: ["features/pages/contact.tsx"],
  [paths.terms]: ["features/pages/terms.tsx"],
  [paths.privacy]: ["features/pages/privacy.tsx"],
  [paths.login]: ["app/pages/login.tsx"],
  [paths.register]: ["app/pages/register.tsx"],
  // Where the rest of the address is one segment more.
  [paths.person("")]: ["features/people/profile/profile-page.tsx"],
};

/** The same for pages of which only the frame comes: without the app there is nothing to see. */
const FRAMED_PAGES: Record<string, string[]> = {
  [paths.task("")]: ["app/pages/task-details.tsx", ...GUARD_MODULES],
  "/dash/": ["app/dash-layout.tsx", ...GUARD_MODULES],
};

/** What their loaders ask the API for, where the address has no query and no server fills the page. */
const PAGE_DATA: Record<string, string> = {
  [paths.home]: "/tasks/featuretasks",
  [paths.browse]: "/tasks?state=open&limit=24",
};

/** When nothing says that the page was painted, as in a tab in the background; ms after its styles are there. */
const LATEST_START_MS = 1_000;

const ENTRY = /<script type="module" crossorigin src="([^"]+)"><\/script>\s*/;
const PRELOADS = /<link rel="modulepreload"[^>]*>\s*/g;

/**
 * When the app's files are fetched, and when it starts. A page that comes with its content is painted first, so its
 * styles and its font share a slow line with nothing else, and a slow processor is free for it. Any other page needs the
 * app at once, and everything of it side by side: one or two round trips less. All addresses share one index.html, so
 * inline scripts choose by the address.
 */
export function appStart(apiOrigin: string): Plugin {
  return {
    name: "tasklane-app-start",
    transformIndexHtml: {
      order: "post",
      handler: (html, { bundle, chunk: entry }) => {
        if (!bundle || !entry) return html;
        if (!ENTRY.test(html)) throw new Error("index.html has no entry script where Vite puts it.");
        const common = closure(bundle, [entry.fileName]);
        const filesOf = (pages: Record<string, string[]>) =>
          Object.fromEntries(
            Object.entries(pages).map(([page, modules]) => {
              const files = closure(
                bundle,
                modules.map((name) => chunkOf(bundle, name)),
              );
              return [page, [...files].filter((file) => !common.has(file)).map(nameOf)];
            }),
          );
        const files = { ...filesOf(FILLED_PAGES), ...filesOf(FRAMED_PAGES) };
        const scripts = [...common].filter((file) => file.endsWith(".js")).map(nameOf);
        return {
          html: html.replace(ENTRY, "").replaceAll(PRELOADS, ""),
          tags: [
            // Before the stylesheet, which would make it wait.
            { tag: "script", children: fetching(scripts, files, apiOrigin), injectTo: "head-prepend" },
            {
              tag: "script",
              children: starting(entry.fileName, chunkOf(bundle, SESSION_MODULE)),
              injectTo: "body",
            },
          ],
        };
      },
    },
  };
}

/** Defines `fetchApp`, and calls it where only the frame has come. */
function fetching(scripts: string[], files: Record<string, string[]>, apiOrigin: string): string {
  const data = Object.fromEntries(Object.entries(PAGE_DATA).map(([page, path]) => [page, apiOrigin + path]));
  const isFramed = Object.keys(FRAMED_PAGES)
    .map((page) => `p.startsWith(${JSON.stringify(page)})`)
    .join("||");
  return [
    "const p=location.pathname,add=(rel,as,href)=>{",
    'const l=document.createElement("link");l.rel=rel;if(as)l.as=as;l.crossOrigin="";l.href=href;document.head.append(l)};',
    `const m=${JSON.stringify(files)},isFramed=${isFramed},fetchApp=()=>{`,
    `for(const f of [...${JSON.stringify(scripts)},...m[p]||m[p.replace(/^(\\/[^/]+\\/)[^/]+$/,"$1")]||[]])`,
    'f.endsWith(".css")?add("preload","style","/assets/"+f):add("modulepreload","","/assets/"+f)};',
    "isFramed&&fetchApp();",
    apiOrigin && `const d=${JSON.stringify(data)}[p];d&&!location.search&&add("preload","fetch",d)`,
  ].join("");
}

/**
 * Starts the app, where the page has content once that is painted. Where only the frame has come the session begins at
 * once: the provider is asked who is signed in while most of the app is still on its way.
 */
function starting(entry: string, session: string): string {
  return [
    "let started=false;const start=()=>{if(started)return;started=true;if(!isFramed)fetchApp();",
    'const s=document.createElement("script");s.type="module";s.crossOrigin="";',
    `s.src=${JSON.stringify(`/${entry}`)};document.head.append(s)};`,
    `if(isFramed){import(${JSON.stringify(`/${session}`)}).catch(()=>{});start()}`,
    'else{new PerformanceObserver(start).observe({type:"paint",buffered:true});',
    `setTimeout(start,${LATEST_START_MS})}`,
  ].join("");
}

function nameOf(file: string): string {
  return file.replace(/^assets\//, "");
}

function chunkOf(bundle: Rollup.OutputBundle, module: string): string {
  for (const [file, output] of Object.entries(bundle)) {
    if (output.type === "chunk" && output.moduleIds.some((id) => id.endsWith(`/client/src/${module}`)))
      return file;
  }
  throw new Error(`The build has no chunk for ${module}: has the module moved?`);
}

/** These chunks with all that they import statically, and their styles. */
function closure(bundle: Rollup.OutputBundle, files: string[]): Set<string> {
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
