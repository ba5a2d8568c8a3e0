import { IncomingMessage, ServerResponse } from "node:http";
import { Socket } from "node:net";
import cors from "cors";
import type { Request, RequestHandler } from "express";
import helmet from "helmet";
import { ALL_ENDPOINTS, API_ROOTS } from "../contract/endpoints.ts";
import { ProblemError } from "./problem.ts";

type Settings = {
  production: boolean;
  /** Whose pages may call the API. */
  corsOrigins: string[];
  /** `host:port` of the Auth emulator, where no real Firebase project is used. */
  emulatorHost?: string;
  /** Hashes (`'sha256-…'`) of the inline scripts that the client's own page holds. */
  scriptHashes: string[];
};

/**
 * The headers that tell browsers what this site never does (OWASP Secure Headers). Responses that are data and no page get
 * the few that mean anything there (OWASP REST Security): the others, 1.2 kB of them, are longer than many a response, and a
 * page takes a dozen files. The API can be called by pages of other origins, too; see {@link crossOrigin}.
 */
export function responseHeaders(settings: Settings): RequestHandler {
  const page = pageHeaders(settings);
  const data = dataHeaders(settings);
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

/** Scripts, styles and fonts of the build, none of which is a page or a worker. */
const FILES = "/assets/";
const below = (paths: readonly string[]) => new RegExp(`^(?:${paths.join("|")})(?:/|$)`, "i");
const BELOW_API = below(API_ROOTS);
const API_PAGE = below(
  ALL_ENDPOINTS.filter(({ responses }) => responses.some(({ type }) => type === "text/html")).map(
    ({ path }) => path,
  ),
);

/** Nothing of a response runs or is shown, should a browser be made to open it as a page. */
function dataHeaders({ production }: Settings): Header[] {
  return headersOf(
    helmet({
      contentSecurityPolicy: {
        useDefaults: false,
        directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] },
      },
      strictTransportSecurity: transport(production),
      xFrameOptions: { action: "deny" },
      crossOriginOpenerPolicy: false,
      originAgentCluster: false,
      referrerPolicy: false,
      xDnsPrefetchControl: false,
      xDownloadOptions: false,
      xPermittedCrossDomainPolicies: false,
      xXssProtection: false,
    }),
  );
}

/**
 * `style-src-attr` stays open because the animation and dialog libraries write style attributes; style elements and
 * scripts from elsewhere do not run.
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
            // The Firebase SDK loads the helper of its sign-in popup from there.
            scriptSrc: ["'self'", "https://apis.google.com", ...settings.scriptHashes],
            scriptSrcAttr: ["'none'"],
            styleSrc: ["'self'", ...TYPEWRITER_STYLES],
            styleSrcAttr: ["'unsafe-inline'"],
            // Posters bring their own avatars from anywhere, over https.
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
        // "Login with Google" is a popup that reports back to its opener.
        crossOriginOpenerPolicy: { policy: "same-origin-allow-popups" },
        // Firebase API keys can be restricted by referring site, so the origin is sent.
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

// What this site never asks a browser for, so nothing that gets into a page of it can either.
const PERMISSIONS_POLICY = (
  "accelerometer autoplay browsing-topics camera display-capture encrypted-media fullscreen geolocation gyroscope hid " +
  "idle-detection local-fonts magnetometer microphone midi payment picture-in-picture publickey-credentials-get " +
  "screen-wake-lock serial usb xr-spatial-tracking"
)
  .split(" ")
  .map((feature) => `${feature}=()`)
  .join(", ");

type Header = readonly [name: string, value: string];

// None of these headers depends on the request, so they are worked out once, on a response that nobody gets.
function headersOf(handler: ReturnType<typeof helmet>): Header[] {
  const request = new IncomingMessage(new Socket());
  const response = new ServerResponse(request);
  handler(request, response, () => undefined);
  return Object.entries(response.getHeaders()).map(([name, value]) => [name, String(value)]);
}

// react-simple-typewriter adds a style element for its cursor: empty at first, then with this text.
// A new version with other text fails the browser journeys, which allow no console error.
const TYPEWRITER_STYLES = [
  "'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU='",
  "'sha256-620cHq4p+pL/NdQhefJHN6xyBs8gdKZu1STKZyQkqwk='",
];

type IdentitySources = { connect: string[]; frame: string[] };

const FIREBASE_SOURCES: IdentitySources = {
  connect: ["https://identitytoolkit.googleapis.com", "https://securetoken.googleapis.com"],
  frame: ["https://*.firebaseapp.com"],
};

// The SDK calls the emulator from the browser, by either name of this machine.
function emulatorSources(emulatorHost: string): IdentitySources {
  const port = emulatorHost.slice(emulatorHost.lastIndexOf(":") + 1);
  const origins = [`http://${emulatorHost}`, `http://localhost:${port}`, `http://127.0.0.1:${port}`];
  const unique = [...new Set(origins)];
  return { connect: unique, frame: ["'self'", ...unique] };
}

const PREFLIGHT_CACHE_S = 600;
const VARY = "Origin, Authorization, Accept-Encoding";

/**
 * Lets browsers on the listed origins call the API. Others get no CORS headers, so their browser keeps the response from
 * them, and their preflights are refused; there are no cookies that they could make it send.
 */
function crossOrigin(origins: string[]): RequestHandler {
  const allow = cors({
    origin: origins,
    methods: ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"],
    allowedHeaders: ["Authorization", "Content-Type", "Idempotency-Key", "If-Match", "Last-Event-ID"],
    exposedHeaders: [
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
      "X-Unsettled-Count",
    ],
    maxAge: PREFLIGHT_CACHE_S,
  });
  return (request, response, next) => {
    // All that responses of the API depend on, said once: each later addition would be parsed and put together again.
    response.setHeader("Vary", VARY);
    const { origin } = request.headers;
    if (isPreflight(request) && !origins.includes(origin ?? "")) throw new ProblemError("origin-not-allowed");
    if (origin !== undefined || request.method === "OPTIONS") return allow(request, response, next);
    // Our own pages, and programs that are no browser.
    next();
  };
}

function isPreflight({ method, headers }: Request): boolean {
  return method === "OPTIONS" && headers["access-control-request-method"] !== undefined;
}
