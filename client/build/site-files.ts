import type { Plugin } from "vite";
import { site } from "../src/lib/site.ts";
import { serviceWorker } from "./service-worker.ts";

/** Fills the brand into index.html, and emits the web manifest and the service worker. */
export function siteFiles(): Plugin {
  return {
    name: "tasklane-site-files",
    transformIndexHtml: {
      order: "post",
      handler: (html, { bundle }) => {
        const files = Object.keys(bundle ?? {});
        const font = files.find((name) => /instrument-sans-latin-wght-normal.*\.woff2$/.test(name));
        return {
          html: html.replaceAll("%BRAND%", site.brand).replaceAll("%DESCRIPTION%", site.description),
          // Every page's text uses this font. Without the preload the browser discovers it only after the styles.
          tags: font
            ? [
                {
                  tag: "link",
                  attrs: {
                    rel: "preload",
                    as: "font",
                    type: "font/woff2",
                    href: `/${font}`,
                    crossorigin: "",
                  },
                  injectTo: "head",
                },
              ]
            : [],
        };
      },
    },
    generateBundle() {
      const source = JSON.stringify(manifest(), null, 2);
      this.emitFile({ type: "asset", fileName: "site.webmanifest", source });
      this.emitFile({ type: "asset", fileName: "service-worker.js", source: serviceWorker() });
    },
  };
}

function manifest() {
  return {
    name: site.brand,
    short_name: site.brand,
    description: site.description,
    id: "/",
    start_url: "/",
    display: "standalone",
    background_color: "#f6f4ef",
    theme_color: "#0f5c4d",
    icons: [
      { src: "/favicon.svg", sizes: "any", type: "image/svg+xml" },
      { src: "/icon-192.png", sizes: "192x192", type: "image/png" },
      { src: "/icon-512.png", sizes: "512x512", type: "image/png" },
      // Full-bleed, with the logo in the safe zone: each device crops it to its own shape.
      { src: "/icon-maskable-512.png", sizes: "512x512", type: "image/png", purpose: "maskable" },
    ],
  };
}
