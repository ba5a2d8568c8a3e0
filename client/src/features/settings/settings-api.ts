import { deleteResponseSchema, meSchema } from "@tasklane/server/contract";
import type { Api } from "../../lib/api.ts";

/** PATCH /me. */
export async function saveSettings(api: Api, settings: { emailNotices: boolean }): Promise<void> {
  await api.call("/me", { method: "PATCH", body: settings, answer: meSchema, auth: "required" });
}

/** DELETE /me: everything the product holds about the signed-in person. Their login must not be older than five minutes. */
export async function deleteMe(api: Api): Promise<void> {
  await api.call("/me", { method: "DELETE", answer: deleteResponseSchema, auth: "required" });
}
