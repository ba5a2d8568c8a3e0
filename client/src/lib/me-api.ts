import { type Me, meSchema } from "@tasklane/server/contract";
import type { Api } from "./api.ts";

/** GET /me: what the product knows of the signed-in person's rights and settings. */
export async function readMe(api: Api, signal?: AbortSignal): Promise<Me> {
  return (await api.call("/me", { answer: meSchema, auth: "required", ...(signal && { signal }) })).data;
}
