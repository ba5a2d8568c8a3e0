import type { Plugin, Rollup } from "vite";
import { paths } from "../src/lib/paths.ts";

/** What comes before any page for signed-in people. */
const GUARD_MODULES = ["auth/open-gateway.ts", "lib/drafts.ts"];

/** The modules that the router loads for each public page (see src/app/routes.tsx). */
const PAGE_MODULES: Record<string, string[]> = {
  [paths.home]: ["app/pages/home.tsx"],
  [paths.browse]: ["app/pages/browse.tsx"],
  [paths.about]: ["features/pages/about.tsx"],
  [paths.contact]: ["features/pages/contact.tsx"],
  [paths.terms]: ["features/pages/terms.tsx"],
  [paths.privacy]: ["features/pages/privacy.tsx"],
  [paths.login]: ["app/pages/login.tsx"],
  [paths.register]: ["app/pages/register.tsx"],
  // Where the rest of the address is one segment more.
  [paths.task("")]: ["app/pages/task-details.tsx", ...GUARD_MODULES],
  [paths.person("")]: ["features/people/profile/profile-page.tsx"],
  "/dash/": ["app/dash-layout.tsx", ...GUARD_MODULES],
};

/** What their loaders ask the API for, where the address has no query and no server fills the page. */
const PAGE_DATA: Record<string, string> = {
  [paths.home]: "/tasks/featuretasks",
  [paths.browse]: "/tasks?state=open&limit=24",
};

/**
 * Lets the browser fetch a page's chunks and data side by side with the entry instead of after it: one or two round
 * trips less before the page is there. All addresses share one index.html, so a short inline script picks the chunks by the address.
 */
export function earlyChunks(apiOrigin: string): Plugin {
  return {
    name: "tasklane-early-chunks",
    transformIndexHtml: {
      order: "post",
      handler: (_html, { bundle, chunk: entry }) => {
        if (!bundle || !entry) return [];
        const known = closure(bundle, [entry.fileName]);
        const filesOf = (modules: string[]) => {
          const chunks = modules.map((name) => chunkOf(bundle, name));
          const files = [...closure(bundle, chunks)].filter((file) => !known.has(file));
          return files.map((file) => file.replace(/^assets\//, ""));
        };
        const byPage = Object.entries(PAGE_MODULES).map(([page, modules]) => [page, filesOf(modules)]);
        return [
          {
            tag: "script",
            children: script(Object.fromEntries(byPage), apiOrigin),
            injectTo: "head-prepend",
          },
        ];
      },
    },
  };
}

// It stands before the stylesheet, which would make it wait.
function script(byPage: Record<string, string[]>, apiOrigin: string): string {
  const data = Object.fromEntries(Object.entries(PAGE_DATA).map(([page, path]) => [page, apiOrigin + path]));
  return [
    "const p=location.pathname,add=(rel,as,href)=>{",
    'const l=document.createElement("link");l.rel=rel;if(as)l.as=as;l.crossOrigin="";l.href=href;document.head.append(l)};',
    `const m=${JSON.stringify(byPage)};for(const f of m[p]||m[p.replace(/^(\\/[^/]+\\/)[^/]+$/,"$1")]||[])`,
    'f.endsWith(".css")?add("preload","style","/assets/"+f):add("modulepreload","","/assets/"+f);',
    apiOrigin && `const d=${JSON.stringify(data)}[p];d&&!location.search&&add("preload","fetch",d)`,
  ].join("");
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
