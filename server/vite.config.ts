import { cpSync, existsSync, readFileSync, realpathSync } from "node:fs";
import { createRequire } from "node:module";
import { basename, dirname, join } from "node:path";
import { defineConfig, type Plugin } from "vite";

/**
 * The production build: the server in one file with the packages that it needs. Nothing has to be installed where it runs,
 * and a start takes half the time of reading a thousand modules. Optional parts of packages that are not installed stay out.
 */
export default defineConfig({
  envDir: false,
  ssr: { noExternal: true, external: ["sharp"] },
  build: {
    ssr: true,
    outDir: "dist",
    target: "node20",
    sourcemap: true,
    license: { fileName: "licences.md" },
    rolldownOptions: {
      // The process; and what the launcher and the benchmark start within their own.
      input: { main: "src/main.ts", serve: "src/serve.ts", config: "src/config.ts" },
      output: {
        entryFileNames: "[name].js",
        chunkFileNames: "[name]-[hash].js",
        // Source maps name the sources; with their text each start would have three times as much to read.
        sourcemapExcludeSources: true,
      },
    },
  },
  plugins: [
    packageFiles("swagger-ui-dist", "swagger-ui", [
      ...["swagger-ui.css", "swagger-ui-bundle.js", "favicon-32x32.png", "LICENSE", "NOTICE"],
    ]),
    packageFiles("dejavu-fonts-ttf", "fonts", ["ttf/DejaVuSans.ttf", "ttf/DejaVuSans-Bold.ttf", "LICENSE"]),
    nativePackage("sharp"),
  ],
});

/** Copies a package with native code, which cannot be bundled, with what it needs into `node_modules` beside the server. */
function nativePackage(name: string): Plugin {
  return {
    name: `tasklane-${name}`,
    writeBundle({ dir = "dist" }) {
      const copied = new Set<string>();
      const copy = (wanted: string, from: string) => {
        const folder = installed(wanted, from);
        if (!folder || copied.has(wanted)) return;
        copied.add(wanted);
        cpSync(folder, join(dir, "node_modules", wanted), { recursive: true });
        const { dependencies, optionalDependencies } = JSON.parse(
          readFileSync(join(folder, "package.json"), "utf8"),
        );
        for (const needed of Object.keys({ ...dependencies, ...optionalDependencies })) copy(needed, folder);
      };
      copy(name, import.meta.dirname);
    },
  };
}

/** Where a package is installed for the package in a folder; undefined if it is for another system. */
function installed(name: string, from: string): string | undefined {
  const places = createRequire(join(from, "package.json")).resolve.paths(name) ?? [];
  const found = places
    .map((place) => join(place, name))
    .find((folder) => existsSync(join(folder, "package.json")));
  return found && realpathSync(found);
}

/** Puts files of a package, which the server sends or reads as they are, into a folder beside it. */
function packageFiles(name: string, to: string, files: readonly string[]): Plugin {
  const folder = dirname(createRequire(import.meta.url).resolve(`${name}/package.json`));
  return {
    name: `tasklane-${to}`,
    generateBundle() {
      for (const file of files)
        this.emitFile({
          type: "asset",
          fileName: `${to}/${basename(file)}`,
          source: readFileSync(join(folder, file)),
        });
    },
  };
}
