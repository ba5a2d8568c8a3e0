import type { Plugin } from "vite";

/**
 * React Router's package exports resolve to its development build, whose warnings would cost each visitor 2 kB. This
 * uses the production build that the package also ships.
 */
export function productionRouter(): Plugin {
  return {
    name: "tasklane-production-router",
    apply: "build",
    enforce: "pre",
    async resolveId(source, importer, options) {
      if (!/^react-router(\/dom)?$/.test(source)) return null;
      const resolved = await this.resolve(source, importer, { ...options, skipSelf: true });
      return resolved && { ...resolved, id: resolved.id.replace("/dist/development/", "/dist/production/") };
    },
  };
}
