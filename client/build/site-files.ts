import type { Plugin } from "vite";
import { site } from "../src/lib/site.ts";
import { serviceWorker } from "./service-worker.ts";

/** Puts the operator's brand into index.html, and writes the web manifest and the service worker. */
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
          // The text of every page waits for this one font; without the hint the browser finds it after the styles.
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
      // Filled to its edges, with the mark in the middle: the device cuts it to its own shape.
      { src: "/icon-maskable-512.png", sizes: "512x512", type: "image/png", purpose: "maskable" },
    ],
  };
}
