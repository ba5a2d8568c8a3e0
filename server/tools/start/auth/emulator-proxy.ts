import type { IncomingMessage, ServerResponse } from "node:http";
import { buffer } from "node:stream/consumers";
import type { RequestHandler } from "express";
import { createProxyMiddleware } from "http-proxy-middleware";

const EMULATOR_PATHS = /^\/(identitytoolkit\.googleapis\.com|securetoken\.googleapis\.com|emulator)\//;
const READS = /:(lookup|query|createAuthUri|signInWithPassword|sendOobCode)(\?|$)/;
const HOP_BY_HOP = new Set(["connection", "keep-alive", "transfer-encoding"]);

/**
 * Serves the Auth emulator on the product's own origin, so that the browser talks to one host only. The response to a call
 * that changed an account is held back until `afterMutation` has stored it, so that acknowledged changes survive a kill -9.
 */
export function emulatorProxy(host: string, afterMutation?: () => Promise<void>): RequestHandler {
  return createProxyMiddleware({
    target: `http://${host}`,
    pathFilter: (_path, request) => EMULATOR_PATHS.test(request.url ?? ""),
    selfHandleResponse: true,
    on: {
      proxyRes: (upstream, request, response) =>
        void forward(upstream, response, changesAccounts(request) ? afterMutation : undefined),
      error: (_error, _request, response) => {
        if ("headersSent" in response && !response.headersSent)
          refuse(response, "The Auth emulator does not respond.");
        else response.destroy();
      },
    },
  });
}

function changesAccounts(request: IncomingMessage): boolean {
  const isRead = request.method === "GET" || request.method === "HEAD" || request.method === "OPTIONS";
  const url = request.url ?? "";
  // Links in emails are GET requests that change the account.
  if (url.startsWith("/emulator/action")) return true;
  return !isRead && !url.startsWith("/securetoken.") && !READS.test(url);
}

async function forward(
  upstream: IncomingMessage,
  response: ServerResponse,
  beforeResponse?: () => Promise<void>,
): Promise<void> {
  const body = await buffer(upstream).catch(() => undefined);
  if (!body) return void response.destroy();
  try {
    await beforeResponse?.();
  } catch {
    return refuse(response, "The account could not be saved.");
  }
  copyHead(upstream, response);
  response.end(body);
}

function copyHead(upstream: IncomingMessage, response: ServerResponse): void {
  response.statusCode = upstream.statusCode ?? 502;
  for (const [name, value] of Object.entries(upstream.headers)) {
    if (value !== undefined && !HOP_BY_HOP.has(name)) response.setHeader(name, value);
  }
}

// In the format of the emulator's own errors, which the Firebase SDK understands.
function refuse(response: ServerResponse, message: string): void {
  response.statusCode = 503;
  response.setHeader("content-type", "application/json");
  response.end(JSON.stringify({ error: { code: 503, message, status: "UNAVAILABLE" } }));
}
