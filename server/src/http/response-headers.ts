import { IncomingMessage, ServerResponse } from "node:http";
import { Socket } from "node:net";
import cors from "cors";
import type { Request, RequestHandler } from "express";
import helmet from "helmet";
import { ALL_ENDPOINTS, API_ROOTS } from "../contract/endpoints.ts";
import { ProblemError } from "../domain/problem-error.ts";

type Settings = {
  production: boolean;
  /** Origins whose pages may call the API. */
  corsOrigins: string[];
  /** `host:port` of the Auth emulator, if it is used instead of a real Firebase project. */
  emulatorHost?: string | undefined;
  /** Hashes (`'sha256-…'`) of the inline scripts in the client's own page. */
  scriptHashes: string[];
};

/**
 * Sets security headers on pages (OWASP Secure Headers). Data and assets get only the few that matter for them (OWASP
 * REST Security), because the others take 1.2 kB, more than many a response. Pages of other origins may call the API;
 * see {@link crossOrigin}.
 */
export function responseHeaders(settings: Settings): RequestHandler {
  const page = pageHeaders(settings);
  const data = [...DATA_HEADERS, ...page.filter(([name]) => name === "strict-transport-security")];
  const allowOrigins = crossOrigin(settings.corsOrigins);
  return (request, response, next) => {
    const { path } = request;
    const isApi = BELOW_API.test(path);
    const isData = (isApi && !API_PAGE.test(path)) || path.startsWith(FILES);
    for (const [name, value] of isData ? data : page) response.setHeader(name, value);
    if (isApi) allowOrigins(request, response, next);
    else next();
  };
}

/** Built scripts, styles and fonts; never pages or workers. */
const FILES = "/assets/";
const below = (paths: readonly string[]) => new RegExp(`^(?:${paths.join("|")})(?:/|$)`, "i");
const BELOW_API = below(API_ROOTS);
const API_PAGE = below(
  ALL_ENDPOINTS.filter(({ responses }) => responses.some(({ type }) => type === "text/html")).map(
    ({ path }) => path,
  ),
);

/** If a browser is made to open such a response as a page, nothing in it is executed or displayed. */
const DATA_HEADERS: Header[] = [
  ["Content-Security-Policy", "default-src 'none';frame-ancestors 'none'"],
  ["Cross-Origin-Resource-Policy", "same-origin"],
  ["X-Content-Type-Options", "nosniff"],
  ["X-Frame-Options", "DENY"],
];

/**
 * `style-src-attr` has to be open because the animation and dialog libraries set style attributes; inline style
 * elements and foreign scripts are blocked.
 */
function pageHeaders(settings: Settings): Header[] {
  const identity = settings.emulatorHost ? emulatorSources(settings.emulatorHost) : FIREBASE_SOURCES;
  return [
    ...headersOf(
      helmet({
        contentSecurityPolicy: {
          useDefaults: false,
          directives: {
            defaultSrc: ["'self'"],
            // The Firebase SDK loads the helper for its sign-in popup from there.
            scriptSrc: ["'self'", "https://apis.google.com", ...settings.scriptHashes],
            scriptSrcAttr: ["'none'"],
            styleSrc: ["'self'", ...TYPEWRITER_STYLES],
            styleSrcAttr: ["'unsafe-inline'"],
            // Avatars may be hosted anywhere, over https.
            imgSrc: ["'self'", "https:", "data:"],
            fontSrc: ["'self'", "data:"],
            connectSrc: ["'self'", ...identity.connect],
            frameSrc: identity.frame,
            objectSrc: ["'none'"],
            baseUri: ["'self'"],
            formAction: ["'self'"],
            frameAncestors: ["'none'"],
          },
        },
        // The popup of "Login with Google" reports back to its opener.
        crossOriginOpenerPolicy: { policy: "same-origin-allow-popups" },
        // Firebase API keys can be restricted by referrer, so the origin has to be sent.
        referrerPolicy: { policy: "strict-origin-when-cross-origin" },
        strictTransportSecurity: transport(settings.production),
        xFrameOptions: { action: "deny" },
      }),
    ),
    ["Permissions-Policy", PERMISSIONS_POLICY],
  ];
}

const transport = (production: boolean) =>
  production ? { maxAge: 31_536_000, includeSubDomains: false } : false;

// This site uses none of these features, so injected code must not be able to use them either.
const PERMISSIONS_POLICY = (
  "accelerometer autoplay browsing-topics camera display-capture encrypted-media fullscreen geolocation gyroscope hid " +
  "idle-detection local-fonts magnetometer microphone midi payment picture-in-picture publickey-credentials-get " +
  "screen-wake-lock serial usb xr-spatial-tracking"
)
  .split(" ")
  .map((feature) => `${feature}=()`)
  .join(", ");

type Header = readonly [name: string, value: string];

// None of these headers depends on the request, so they are computed once, on a dummy response.
function headersOf(handler: ReturnType<typeof helmet>): Header[] {
  const request = new IncomingMessage(new Socket());
  const response = new ServerResponse(request);
  handler(request, response, () => undefined);
  return Object.entries(response.getHeaders()).map(([name, value]) => [name, String(value)]);
}

// react-simple-typewriter adds a style element for its cursor, first empty and then with these styles. If a new version
// changes them, the browser tests fail, because they allow no console errors.
const TYPEWRITER_STYLES = [
  "'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU='",
  "'sha256-620cHq4p+pL/NdQhefJHN6xyBs8gdKZu1STKZyQkqwk='",
];

type IdentitySources = { connect: string[]; frame: string[] };

const FIREBASE_SOURCES: IdentitySources = {
  connect: ["https://identitytoolkit.googleapis.com", "https://securetoken.googleapis.com"],
  frame: ["https://*.firebaseapp.com"],
};

// The SDK calls the emulator from the browser, as localhost or as 127.0.0.1.
function emulatorSources(emulatorHost: string): IdentitySources {
  const port = emulatorHost.slice(emulatorHost.lastIndexOf(":") + 1);
  const origins = [`http://${emulatorHost}`, `http://localhost:${port}`, `http://127.0.0.1:${port}`];
  const unique = [...new Set(origins)];
  return { connect: unique, frame: ["'self'", ...unique] };
}

const PREFLIGHT_CACHE_S = 600;
const VARY = "Origin, Authorization, Accept-Encoding";

/** Of uploads, see https://tus.io/protocols/resumable-upload. */
const TUS_HEADERS = ["Tus-Resumable", "Upload-Length", "Upload-Metadata", "Upload-Offset"];

/**
 * Lets pages of the listed origins call the API. Other origins get no CORS headers, so browsers withhold responses from
 * them, and their preflights are refused. There are no cookies that a foreign page could make a browser send.
 */
function crossOrigin(origins: string[]): RequestHandler {
  const allow = cors({
    origin: origins,
    methods: ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"],
    allowedHeaders: [
      "Authorization",
      "Content-Type",
      "Idempotency-Key",
      "If-Match",
      "Last-Event-ID",
      ...TUS_HEADERS,
    ],
    exposedHeaders: [
      "Date",
      "ETag",
      "Idempotency-Replayed",
      "Link",
      "Location",
      "RateLimit",
      "RateLimit-Policy",
      "Retry-After",
      "X-Request-Id",
      "X-Total-Count",
      "X-Total-Count-Is",
      "X-Unread-Count",
      ...TUS_HEADERS,
    ],
    maxAge: PREFLIGHT_CACHE_S,
  });
  return (request, response, next) => {
    // All headers that API responses depend on, set once because every later addition would be parsed and merged.
    response.setHeader("Vary", VARY);
    const { origin } = request.headers;
    if (isPreflight(request) && !origins.includes(origin ?? "")) throw new ProblemError("origin-not-allowed");
    if (origin !== undefined || request.method === "OPTIONS") return allow(request, response, next);
    // Same-origin pages, and clients other than browsers.
    next();
  };
}

function isPreflight({ method, headers }: Request): boolean {
  return method === "OPTIONS" && headers["access-control-request-method"] !== undefined;
}
