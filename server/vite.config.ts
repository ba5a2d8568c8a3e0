import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { basename, dirname, join } from "node:path";
import { defineConfig, type Plugin } from "vite";

/**
 * The production build: the server in one file with the packages that it needs. Nothing has to be installed where it runs,
 * and a start takes half the time of reading a thousand modules. Optional parts of packages that are not installed stay out.
 */
export default defineConfig({
  envDir: false,
  ssr: { noExternal: true },
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
  ],
});

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
