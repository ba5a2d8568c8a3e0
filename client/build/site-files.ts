import type { Plugin } from "vite";
import { paths } from "../src/lib/paths.ts";
import { site } from "../src/lib/site.ts";

/** What may be found by search engines: the pages that need no session. */
const PUBLIC_PAGES = [paths.home, paths.browse, paths.about, paths.contact, paths.terms, paths.privacy];

/**
 * Puts the operator's brand into index.html, and writes the files that speak of the site as a whole: robots.txt,
 * sitemap.xml and the web manifest. `siteUrl` is the public origin (sitemaps know absolute addresses only).
 */
export function siteFiles(siteUrl: string): Plugin {
  return {
    name: "tasklane-site-files",
    transformIndexHtml: {
      order: "post",
      handler: (html, { bundle }) => {
        const files = Object.keys(bundle ?? {});
        const font = files.find((name) => /instrument-sans-latin-wght-normal.*\.woff2$/.test(name));
        return {
          html: html
            .replaceAll("%BRAND%", site.brand)
            .replaceAll("%DESCRIPTION%", site.description)
            .replaceAll("%SITE_URL%", siteUrl),
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
      const emit = (fileName: string, source: string) => this.emitFile({ type: "asset", fileName, source });
      emit("robots.txt", robots(siteUrl));
      emit("sitemap.xml", sitemap(siteUrl));
      emit("site.webmanifest", JSON.stringify(manifest(), null, 2));
    },
  };
}

function robots(siteUrl: string): string {
  return ["User-agent: *", "Disallow: /dash/", "", `Sitemap: ${siteUrl}/sitemap.xml`, ""].join("\n");
}

function sitemap(siteUrl: string): string {
  const urls = PUBLIC_PAGES.map((path) => `  <url><loc>${siteUrl}${path}</loc></url>`);
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">',
    ...urls,
    "</urlset>",
    "",
  ].join("\n");
}

function manifest() {
  return {
    name: site.brand,
    short_name: site.brand,
    description: site.description,
    start_url: "/",
    display: "standalone",
    background_color: "#f6f4ef",
    theme_color: "#0f5c4d",
    icons: [
      { src: "/favicon.svg", sizes: "any", type: "image/svg+xml" },
      { src: "/icon-192.png", sizes: "192x192", type: "image/png" },
      { src: "/icon-512.png", sizes: "512x512", type: "image/png" },
    ],
  };
}
