import tailwindcss from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import { defineConfig, loadEnv, type Plugin } from "vite";
import { site } from "./src/lib/site.ts";

/** Variables live in the one `.env` at the top of the workspace. */
const ENV_DIR = "..";

// The Auth emulator behind the page's own origin, as the launcher's server offers it.
const EMULATOR_PATHS = ["/identitytoolkit.googleapis.com", "/securetoken.googleapis.com", "/emulator"];

export default defineConfig(({ mode }) => {
  const env = { ...loadEnv(mode, ENV_DIR, ""), ...process.env };
  const emulator = `http://${env["FIREBASE_AUTH_EMULATOR_HOST"] ?? "127.0.0.1:9099"}`;
  return {
    envDir: ENV_DIR,
    plugins: [react(), tailwindcss(), brand()],
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
      chunkSizeWarningLimit: 300,
      license: true,
    },
  };
});

/** Puts the operator's brand into index.html. */
function brand(): Plugin {
  return {
    name: "tasklane-brand",
    transformIndexHtml: (html) =>
      html.replaceAll("%BRAND%", site.brand).replaceAll("%DESCRIPTION%", site.description),
  };
}
