import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { basename, join } from "node:path";
import type { Request, RequestHandler } from "express";
import staticGzip from "express-static-gzip";
import { ProblemError } from "../domain/problem-error.ts";
import type { SendRendered } from "./rendered-pages.ts";
import { splitUrl } from "./request-input.ts";

const ONE_YEAR = "public, max-age=31536000, immutable";

/**
 * Serves the built client. Files under `/assets/` (with a hash in their names) are cached forever, all others have to
 * be revalidated; files are sent in the smallest encoding that the build produced. Pages, as listed in the build's
 * `routes.json`, are sent rendered with their content, or else as their prerendered file (`/about` → `about.html`) or
 * the client's app shell (`app.html`). All other URLs are a 404 with the client's own page for it.
 */
export function webApp(root: string, sendRendered: SendRendered = async () => false): RequestHandler {
  const pages = pagePattern(root);
  const assets = join(root, "assets/");
  // Not sirv: it ignores `br;q=0`, cannot send a page with a 404, and fails when a file is deleted while it runs.
  const files = staticGzip(root, {
    enableBrotli: true,
    orderPreference: ["br", "gzip"],
    index: false,
    serveStatic: {
      // Ranges would refer to the compressed bytes.
      acceptRanges: false,
      cacheControl: false,
      redirect: false,
      setHeaders: (response, file) =>
        response.setHeader("Cache-Control", file.startsWith(assets) ? ONE_YEAR : "no-cache"),
    },
  });
  return (request, response, next) => {
    if (request.method !== "GET" && request.method !== "HEAD") return next();
    const { url } = request;
    const path = decodePath(request.path);
    const send = (file: string, otherwise: () => void) => {
      request.url = file;
      files(request, response, otherwise);
    };
    const passOn = () => {
      request.url = url;
      next();
    };
    // Where password managers send people (W3C, "A Well-Known URL for Changing Passwords").
    if (path === "/.well-known/change-password") return response.redirect("/dash/settings");
    const openPage = async () => {
      const known = pages.test(path);
      const { query } = splitUrl(url);
      if (await sendRendered(request, response, known ? `${encodePath(path)}?${query}` : UNKNOWN)) return;
      if (known) return send(pageFile(path), () => send("/app.html", passOn));
      response.status(404);
      send("/404.html", passOn);
    };
    send(url, () => {
      if (isPage(path, request)) openPage().catch(next);
      else passOn();
    });
  };
}

/** All unknown URLs share one page. */
const UNKNOWN = "/404";

/** Matches the paths of pages as the client's router does: case-insensitive, with or without a trailing slash. */
function pagePattern(root: string): RegExp {
  const patterns = JSON.parse(readFileSync(join(root, "routes.json"), "utf8")) as string[];
  const sources = patterns.map((pattern) => pattern.replace(/^\/$/, "").replace(/:[^/]+/g, "[^/]+"));
  return new RegExp(`^(?:${sources.join("|")})/?$`, "i");
}

// Missing images and scripts are a plain 404 without a page, and so is everything for clients that do not accept HTML.
function isPage(path: string, request: Request): boolean {
  const namesFile = path.startsWith("/assets/") || basename(path).includes(".");
  return !namesFile && Boolean(request.accepts("html"));
}

function pageFile(path: string): string {
  return path === "/" ? "/index.html" : `${encodePath(path.replace(/\/$/, ""))}.html`;
}

/** Encodes a decoded path, so that it has only one encoding, however it was sent. */
function encodePath(path: string): string {
  return path.split("/").map(encodeURIComponent).join("/");
}

function decodePath(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch (cause) {
    throw new ProblemError("bad-request", { detail: "The URL is not encoded correctly.", cause });
  }
}

const INLINE_SCRIPT = /<script(?![^>]*\ssrc=)[^>]*>([\s\S]*?)<\/script>/gi;

/** The CSP hashes (`'sha256-…'`) of the inline scripts in the client's page, such as the one that sets the theme. */
export function inlineScriptHashes(root: string): string[] {
  const page = readFileSync(join(root, "index.html"), "utf8");
  return [...page.matchAll(INLINE_SCRIPT)].map(([, script = ""]) => {
    return `'sha256-${createHash("sha256").update(script).digest("base64")}'`;
  });
}
