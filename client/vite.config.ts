import tailwindcss from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import { defineConfig, loadEnv } from "vite";
import { appStart } from "./build/app-start.ts";
import { chunks } from "./build/chunks.ts";
import { prerenderPages } from "./build/prerender-pages.ts";
import { productionRouter } from "./build/production-router.ts";
import { siteFiles } from "./build/site-files.ts";

/** The workspace has a single `.env`, at its root. */
const ENV_DIR = "..";

// Proxies the Auth emulator on the page's own origin, as the launcher's server does.
const EMULATOR_PATHS = ["/identitytoolkit.googleapis.com", "/securetoken.googleapis.com", "/emulator"];

const SCHEMA_FUNCTIONS = ["documentId", "oneOf", "paragraph", "parameter", "taskParameter", "wholeNumber"];

export default defineConfig(({ mode }) => {
  const env = { ...loadEnv(mode, ENV_DIR, ""), ...process.env };
  const emulator = `http://${env["FIREBASE_AUTH_EMULATOR_HOST"] || "127.0.0.1:9099"}`;
  const siteUrl = (env["VITE_SITE_URL"] || "http://localhost:3000").replace(/\/+$/, "");
  return {
    envDir: ENV_DIR,
    plugins: [productionRouter(), react(), tailwindcss(), siteFiles(), appStart(), prerenderPages(siteUrl)],
    server: {
      port: 5173,
      strictPort: true,
      proxy: Object.fromEntries(
        EMULATOR_PATHS.map((path) => [path, { target: emulator, changeOrigin: false }]),
      ),
    },
    build: {
      // They have `AbortSignal.any`, `URL.canParse`, `Intl.Segmenter`, popovers and registered CSS properties.
      target: ["chrome120", "edge120", "firefox128", "safari17.4"],
      assetsInlineLimit: 0,
      manifest: true,
      license: { fileName: "licences.md" },
      // Every target browser supports modulepreload.
      modulePreload: {
        polyfill: false,
        // These chunks are always loaded first (build/chunks.ts).
        resolveDependencies: (_, files) =>
          files.filter((file) => !/\/(rolldown-runtime|base|vendor|shell)-/.test(file)),
      },
      chunkSizeWarningLimit: 400,
      rolldownOptions: {
        output: { codeSplitting: { groups: chunks } },
        // Creating a schema has no side effects, so contract schemas that only the server uses can be dropped. Rolldown
        // knows the contract's own functions (contract/fields.ts) as pure only in the module that declares them.
        treeshake: { manualPureFunctions: ["z", ...SCHEMA_FUNCTIONS] },
      },
    },
  };
});
