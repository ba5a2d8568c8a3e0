import tailwindcss from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import { defineConfig, loadEnv } from "vite";
import { acyclicChunks } from "./build/acyclic-chunks.ts";
import { appStart } from "./build/app-start.ts";
import { chunks } from "./build/chunks.ts";
import { prerenderPages } from "./build/prerender-pages.ts";
import { productionRouter } from "./build/production-router.ts";
import { siteFiles } from "./build/site-files.ts";

/** Variables live in the one `.env` at the top of the workspace. */
const ENV_DIR = "..";

// The Auth emulator behind the page's own origin, as the launcher's server offers it.
const EMULATOR_PATHS = ["/identitytoolkit.googleapis.com", "/securetoken.googleapis.com", "/emulator"];

export default defineConfig(({ mode }) => {
  const env = { ...loadEnv(mode, ENV_DIR, ""), ...process.env };
  const emulator = `http://${env["FIREBASE_AUTH_EMULATOR_HOST"] || "127.0.0.1:9099"}`;
  const siteUrl = (env["VITE_SITE_URL"] || "http://localhost:3000").replace(/\/+$/, "");
  return {
    envDir: ENV_DIR,
    plugins: [
      productionRouter(),
      react(),
      tailwindcss(),
      siteFiles(),
      acyclicChunks(),
      appStart((env["VITE_API_URL"] ?? "").replace(/\/+$/, "")),
      prerenderPages(siteUrl),
    ],
    server: {
      port: 5173,
      strictPort: true,
      proxy: Object.fromEntries(
        EMULATOR_PATHS.map((path) => [path, { target: emulator, changeOrigin: false }]),
      ),
    },
    build: {
      target: "baseline-widely-available",
      assetsInlineLimit: 0,
      manifest: true,
      license: { fileName: "licences.md" },
      // Every browser of the target knows modulepreload.
      modulePreload: {
        polyfill: false,
        // Whatever imports anything has come with these files (build/chunks.ts).
        resolveDependencies: (_, files) =>
          files.filter((file) => !/\/(rolldown-runtime|base|vendor|shell)-/.test(file)),
      },
      chunkSizeWarningLimit: 400,
      rolldownOptions: {
        output: { codeSplitting: { groups: chunks } },
        // Making a schema has no effect: those of the contract that only the server uses are left out.
        treeshake: { manualPureFunctions: ["z"] },
      },
    },
  };
});
