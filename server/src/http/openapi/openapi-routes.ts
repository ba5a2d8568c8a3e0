import { type RequestHandler, Router } from "express";
import { type RenderedJson, renderJson, sendRendered } from "../rendered-json.ts";
import { apiDocument } from "./document.ts";
import { apiPage } from "./page.ts";
import { PAGE_STYLE } from "./page-style.ts";

/**
 * `GET /openapi.json`, the contract as an OpenAPI 3.1 document, and `GET /api-docs`, the same for people: one page without
 * any script. Both are written once, when first asked for; they change with a new version only.
 */
export function openapiRoutes(): RequestHandler {
  const router = Router();
  let document: RenderedJson | undefined;
  let page: string | undefined;

  router.get("/openapi.json", async (request, response) => {
    document ??= renderJson(apiDocument());
    response.setHeader("Cache-Control", "no-cache");
    await sendRendered(request, response, document, "application/openapi+json; charset=utf-8");
  });
  router.get("/api-docs", (_request, response) => {
    page ??= apiPage(apiDocument());
    response.set("Cache-Control", "no-cache").type("html").send(page);
  });
  router.get("/api-docs/style.css", (_request, response) => {
    response.set("Cache-Control", "no-cache").type("css").send(PAGE_STYLE);
  });
  return router;
}
