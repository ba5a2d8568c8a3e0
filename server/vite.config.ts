import { cpSync, existsSync, readFileSync, realpathSync } from "node:fs";
import { createRequire } from "node:module";
import { basename, join } from "node:path";
import { defineConfig } from "vite";

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
    {
      name: "tasklane-files",
      writeBundle({ dir = "dist" }) {
        const swagger = ["swagger-ui.css", "swagger-ui-bundle.js", "favicon-32x32.png", "LICENSE", "NOTICE"];
        copyFiles("swagger-ui-dist", swagger, join(dir, "swagger-ui"));
        const fonts = ["ttf/DejaVuSans.ttf", "ttf/DejaVuSans-Bold.ttf", "LICENSE"];
        copyFiles("dejavu-fonts-ttf", fonts, join(dir, "fonts"));
        copyPackage("sharp", import.meta.dirname, join(dir, "node_modules"));
      },
    },
  ],
});

/** Copies files of a package, which the server sends or reads as they are. */
function copyFiles(name: string, files: readonly string[], to: string): void {
  const folder = installed(name, import.meta.dirname) ?? name;
  for (const file of files) cpSync(join(folder, file), join(to, basename(file)));
}

/** Copies a package with native code, which cannot be bundled, with what it needs. */
function copyPackage(name: string, from: string, to: string): void {
  const folder = installed(name, from);
  if (!folder || existsSync(join(to, name))) return;
  cpSync(folder, join(to, name), { recursive: true });
  const { dependencies, optionalDependencies } = JSON.parse(
    readFileSync(join(folder, "package.json"), "utf8"),
  );
  for (const needed of Object.keys({ ...dependencies, ...optionalDependencies }))
    copyPackage(needed, folder, to);
}

/** Where a package is installed for the package in a folder; undefined if it is for another system. */
function installed(name: string, from: string): string | undefined {
  const places = createRequire(join(from, "package.json")).resolve.paths(name) ?? [];
  const folder = places
    .map((place) => join(place, name))
    .find((path) => existsSync(join(path, "package.json")));
  return folder && realpathSync(folder);
}
