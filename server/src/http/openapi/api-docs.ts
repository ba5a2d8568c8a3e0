import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import express, { type RequestHandler } from "express";
import { serviceEndpoints } from "../../contract/service.ts";
import type { Api } from "../mount.ts";
import { SENT, SerializedJson, sendSerialized } from "../response-body.ts";
import { BRAND } from "../site.ts";
import { apiDocument } from "./document.ts";

/**
 * `GET /openapi.json`, the contract as an OpenAPI 3.1 document, and `GET /api-docs`, the same for people. Swagger UI is the
 * maintained viewer that works under our Content-Security-Policy, without inline or foreign styles and scripts.
 */
export function mountApiDocs(api: Api): void {
  let document: SerializedJson<object> | undefined;

  api.mount(serviceEndpoints, {
    describeApi: async ({ request, response }) => {
      // Generated on first use; it only changes with a new version of the server.
      document ??= new SerializedJson(apiDocument());
      response.setHeader("Cache-Control", "no-cache");
      await sendSerialized(request, response, document, "application/openapi+json; charset=utf-8");
      return SENT;
    },

    showApi: ({ response }) => {
      response.set("Cache-Control", "no-cache").type("html").send(PAGE);
      return SENT;
    },

    startApiPage: ({ response }) => {
      response.set("Cache-Control", "no-cache").type("js").send(START);
      return SENT;
    },
  });
}

/** Serves Swagger UI's files below `/api-docs`: from beside the built server (vite.config.ts), else from the package. */
export function apiDocsAssets(): RequestHandler {
  const built = join(import.meta.dirname, "swagger-ui");
  const require = createRequire(import.meta.url);
  const folder = existsSync(built) ? built : dirname(require.resolve("swagger-ui-dist/package.json"));
  return express.static(folder, { index: false, redirect: false });
}

const PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${BRAND} API</title>
<link rel="icon" href="/api-docs/favicon-32x32.png">
<link rel="stylesheet" href="/api-docs/swagger-ui.css">
<script src="/api-docs/swagger-ui-bundle.js" defer></script>
<script src="/api-docs/start.js" defer></script>
</head>
<body><main id="api"><a href="/openapi.json">openapi.json</a></main></body>
</html>
`;

const START = `SwaggerUIBundle({ url: "/openapi.json", dom_id: "#api", deepLinking: true });
`;
