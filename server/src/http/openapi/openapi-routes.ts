import { serviceEndpoints } from "../../contract/endpoints/service.ts";
import type { Api } from "../mount.ts";
import { SENT } from "../send-stream.ts";
import { SerializedJson, sendSerialized } from "../serialized-json.ts";
import { type ApiDocument, apiDocument } from "./document.ts";
import { apiPage } from "./page.ts";
import { PAGE_STYLE } from "./page-style.ts";

/**
 * `GET /openapi.json`, the contract as an OpenAPI 3.1 document, and `GET /api-docs`, the same for people: one page without
 * any script. Both are written once, when first asked for; they change with a new version only.
 */
export function mountApiDocs(api: Api): void {
  let document: SerializedJson<ApiDocument> | undefined;
  let page: string | undefined;

  api.mount(serviceEndpoints.describeApi, async ({ request, response }) => {
    document ??= new SerializedJson(apiDocument());
    response.setHeader("Cache-Control", "no-cache");
    await sendSerialized(request, response, document, "application/openapi+json; charset=utf-8");
    return SENT;
  });
  api.mount(serviceEndpoints.showApi, ({ response }) => {
    page ??= apiPage(apiDocument());
    response.set("Cache-Control", "no-cache").type("html").send(page);
    return SENT;
  });
  api.mount(serviceEndpoints.styleOfApi, ({ response }) => {
    response.set("Cache-Control", "no-cache").type("css").send(PAGE_STYLE);
    return SENT;
  });
}
