import type { Plugin } from "vite";

/**
 * React Router's package leads every bundler to its development build, with its warnings: 2 kB that each visitor would
 * load. The other build lies beside it.
 */
export function productionRouter(): Plugin {
  return {
    name: "tasklane-production-router",
    apply: "build",
    enforce: "pre",
    async resolveId(source, importer, options) {
      if (!/^react-router(\/dom)?$/.test(source)) return null;
      const found = await this.resolve(source, importer, { ...options, skipSelf: true });
      return found && { ...found, id: found.id.replace("/dist/development/", "/dist/production/") };
    },
  };
}
