import type { Plugin, Rollup } from "vite";
import { paths } from "../src/lib/paths.ts";

/** Determines who is signed in as soon as it is evaluated. */
const SESSION_MODULE = "auth/firebase.ts";

/** Pages whose HTML arrives with its content, and the modules that the router loads for them (src/app/routes.tsx). */
const PRERENDERED_PAGES: Record<string, string[]> = {
  [paths.home]: ["features/home/home-page.tsx"],
  [paths.browse]: ["features/tasks/browse/browse-page.tsx"],
  [paths.about]: ["features/pages/about.tsx"],
  [paths.contact]: ["features/pages/contact.tsx"],
  [paths.terms]: ["features/pages/terms.tsx"],
  [paths.privacy]: ["features/pages/privacy.tsx"],
  [paths.login]: ["features/account/login-page.tsx"],
  [paths.register]: ["features/account/register-page.tsx"],
  [paths.people]: ["features/people/directory/directory-page.tsx"],
  // A trailing slash matches one more path segment.
  [paths.person("")]: ["features/people/profile/profile-page.tsx"],
};

/** The same for pages behind login, which arrive as the empty app shell or, for a task, with its public fields only. */
const SHELL_PAGES: Record<string, string[]> = {
  [paths.task("")]: ["app/task-area.tsx", "features/tasks/detail/task-page.tsx", SESSION_MODULE],
  "/dash/": ["app/dash-layout.tsx", SESSION_MODULE],
};

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
      handler: (html, { bundle, chunk: entry }) => {
        if (!bundle || !entry) return html;
        if (!ENTRY.test(html)) throw new Error("index.html has no entry script where Vite puts it.");
        const common = withImports(bundle, [entry.fileName]);
        const filesOf = (pages: Record<string, string[]>) =>
          Object.fromEntries(
            Object.entries(pages).map(([page, modules]) => {
              const files = withImports(
                bundle,
                modules.map((name) => chunkOf(bundle, name)),
              );
              return [page, [...files].filter((file) => !common.has(file)).map(assetName)];
            }),
          );
        const files = { ...filesOf(PRERENDERED_PAGES), ...filesOf(SHELL_PAGES) };
        const scripts = [...common].filter((file) => file.endsWith(".js")).map(assetName);
        return {
          html: html.replace(ENTRY, "").replaceAll(PRELOADS, ""),
          tags: [
            // Before the stylesheet, which would block it.
            { tag: "script", children: fetchScript(scripts, files), injectTo: "head-prepend" },
            {
              tag: "script",
              children: startScript(entry.fileName, chunkOf(bundle, SESSION_MODULE)),
              injectTo: "body",
            },
          ],
        };
      },
    },
  };
}

/** Defines `fetchApp`, and calls it if the page is only an app shell. */
function fetchScript(scripts: string[], files: Record<string, string[]>): string {
  const isShell = Object.keys(SHELL_PAGES)
    .map((page) => `p.startsWith(${JSON.stringify(page)})`)
    .join("||");
  return [
    "const p=location.pathname,add=(rel,as,href)=>{",
    'const l=document.createElement("link");l.rel=rel;if(as)l.as=as;l.crossOrigin="";l.href=href;document.head.append(l)};',
    `const m=${JSON.stringify(files)},isShell=${isShell},fetchApp=()=>{`,
    `for(const f of [...${JSON.stringify(scripts)},...m[p]||m[p.replace(/^(\\/[^/]+\\/)[^/]+$/,"$1")]||[]])`,
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
    if (output.type === "chunk" && output.moduleIds.some((id) => id.endsWith(`/client/src/${module}`)))
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
