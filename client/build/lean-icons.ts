import { fileURLToPath } from "node:url";
import type { Plugin } from "vite";

const LEAN = fileURLToPath(new URL("../src/ui/lucide-icon.ts", import.meta.url));

/** Builds Lucide's icons with ui/lucide-icon.ts instead of Lucide's own component, which can do much that nobody here asks for. */
export function leanIcons(): Plugin {
  return {
    name: "tasklane-lean-icons",
    apply: "build",
    enforce: "pre",
    resolveId: (source, importer) =>
      source === "../createLucideIcon.mjs" && importer?.includes("/lucide-react/") ? LEAN : null,
  };
}
