import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { basename, join } from "node:path";
import type { Request, RequestHandler } from "express";
import staticGzip from "express-static-gzip";
import { ProblemError } from "./problem.ts";
import type { SendRendered } from "./rendered-pages.ts";
import { splitUrl } from "./request-input.ts";

const ONE_YEAR = "public, max-age=31536000, immutable";

/**
 * Serves the built client: files under `/assets/` (their names hold a hash) for ever, all others to be revalidated each
 * time; in the smallest encoding that the build left beside them. A page comes rendered with its content, and where that
 * cannot be had now, as its prerendered file (`/about` → `about.html`) or the client's bare frame; which addresses are
 * pages, the client's build says in `routes.json`. All others are a 404 with the client's own page for it.
 */
export function webApp(root: string, sendRendered: SendRendered = async () => false): RequestHandler {
  const pages = pagePattern(root);
  const assets = join(root, "assets/");
  // Turned down: sirv, which ignores `br;q=0`, sends no page with a 404, and fails when a file goes while it runs.
  const files = staticGzip(root, {
    enableBrotli: true,
    orderPreference: ["br", "gzip"],
    index: false,
    serveStatic: {
      // Ranges would be ranges of the compressed bytes.
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
    const notHere = () => {
      request.url = url;
      next();
    };
    const openPage = async () => {
      const known = pages.test(path);
      if (await sendRendered(request, response, known ? pageUrl(path, url) : UNKNOWN)) return;
      if (known) return send(pageFile(path), () => send("/app.html", notHere));
      response.status(404);
      send("/404.html", notHere);
    };
    send(url, () => {
      if (isPage(path, request)) openPage().catch(next);
      else notHere();
    });
  };
}

/** All unknown addresses are one page. */
const UNKNOWN = "/404";

/** What a page depends on: elsewhere than in lists and at login, queries are somebody's tracking. */
function pageUrl(path: string, url: string): string {
  const { query } = splitUrl(url);
  return query && /^\/(?:browsetask|auth\/)/i.test(path) ? `${encodePath(path)}?${query}` : encodePath(path);
}

/** What the client's router would take for one of its pages: segments by their names, in any case, a final slash or none. */
function pagePattern(root: string): RegExp {
  const patterns = JSON.parse(readFileSync(join(root, "routes.json"), "utf8")) as string[];
  const sources = patterns.map((pattern) => pattern.replace(/^\/$/, "").replace(/:[^/]+/g, "[^/]+"));
  return new RegExp(`^(?:${sources.join("|")})/?$`, "i");
}

// A missing picture or script is a 404, not a page; so is whatever a program asks for that does not take HTML.
function isPage(path: string, request: Request): boolean {
  const namesFile = path.startsWith("/assets/") || basename(path).includes(".");
  return !namesFile && Boolean(request.accepts("html"));
}

function pageFile(path: string): string {
  return path === "/" ? "/index.html" : `${encodePath(path.replace(/\/$/, ""))}.html`;
}

/** One encoding of a decoded path, whichever way it was sent: whoever reads it decodes it again. */
function encodePath(path: string): string {
  return path.split("/").map(encodeURIComponent).join("/");
}

function decodePath(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch (cause) {
    throw new ProblemError("bad-request", { detail: "The address is not encoded correctly.", cause });
  }
}

const INLINE_SCRIPT = /<script(?![^>]*\ssrc=)[^>]*>([\s\S]*?)<\/script>/gi;

/** The hashes (CSP level 3, `'sha256-…'`) of the inline scripts in the client's page, such as the one that sets the theme. */
export function inlineScriptHashes(root: string): string[] {
  const page = readFileSync(join(root, "index.html"), "utf8");
  return [...page.matchAll(INLINE_SCRIPT)].map(([, script = ""]) => {
    return `'sha256-${createHash("sha256").update(script).digest("base64")}'`;
  });
}
