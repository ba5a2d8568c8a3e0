import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { basename, extname, join, posix } from "node:path";
import { type Request, type RequestHandler, type Response, Router } from "express";
import { ProblemError } from "./problem-error.ts";

const ONE_YEAR = "public, max-age=31536000, immutable";

/**
 * Serves the built client: files under `/assets/` (their names hold a hash) for ever, all others to be asked for again
 * each time; in the smallest encoding that lies beside them (`.br`, `.gz`) and the browser takes. A page gets its
 * prerendered file (`/about` → `about.html`) if there is one, or the client's bare frame; which addresses are pages, the
 * client's build says in `routes.json`. All others are a 404 with the client's own page for it.
 */
export function webApp(root: string): RequestHandler {
  const pages = pagePattern(root);
  return Router().use(async (request, response, next) => {
    const readable = request.method === "GET" || request.method === "HEAD";
    if (!readable) return next();
    const path = decodePath(request.path);
    // `/assets/../x` is not an asset; browsers resolve such addresses before they ask.
    if (posix.normalize(path) !== path) return next();
    if (path !== "/" && (await sendFile(root, path, request, response))) return;
    if (isPage(path, request)) {
      const known = pages.test(path);
      if (!known) response.status(404);
      for (const file of known ? pageFiles(path) : ["/404.html"])
        if (await sendFile(root, file, request, response)) return;
    }
    next();
  });
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

function pageFiles(path: string): string[] {
  return path === "/" ? ["/index.html"] : [`${path.replace(/\/$/, "")}.html`, "/app.html"];
}

const ENCODINGS = [
  { name: "br", suffix: ".br" },
  { name: "gzip", suffix: ".gz" },
] as const;

/** Sends the file, or resolves to false if there is none. */
async function sendFile(root: string, path: string, request: Request, response: Response): Promise<boolean> {
  if (path.endsWith("/")) return false;
  const headers = {
    "Cache-Control": path.startsWith("/assets/") ? ONE_YEAR : "no-cache",
    Vary: "Accept-Encoding",
  };
  // Set before sending: the name of a `.br` file says nothing about what is in it.
  if (extname(path) !== "") response.type(extname(path));
  for (const { name, suffix } of ENCODINGS) {
    if (!request.acceptsEncodings(name)) continue;
    if (await trySend(response, root, path + suffix, { ...headers, "Content-Encoding": name })) return true;
  }
  return trySend(response, root, path, headers);
}

function trySend(
  response: Response,
  root: string,
  path: string,
  headers: Record<string, string>,
): Promise<boolean> {
  return new Promise((resolve) => {
    // Ranges would be ranges of the compressed bytes, which no browser asks for.
    const options = { root, headers, cacheControl: false, acceptRanges: false };
    response.sendFile(path, options, (error) => resolve(!error || response.headersSent));
  });
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
