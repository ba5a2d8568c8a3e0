import type { Me } from "@tasklane/server/contract";
import type { ActionFunctionArgs, LoaderFunctionArgs } from "react-router-dom";
import { apiOf } from "../../lib/api-context.ts";
import { type FormError, toFormError } from "../../lib/forms.ts";
import { readMe } from "../../lib/me-api.ts";
import { saveSettings } from "./settings-api.ts";

/** What became of a changed setting. */
export type SettingsResult = { ok: true } | FormError;

/** Loads the person's settings. */
export async function loader(args: LoaderFunctionArgs): Promise<Me> {
  return readMe(apiOf(args), args.request.signal);
}

/** Saves the switch for notices by e-mail. */
export async function action(args: ActionFunctionArgs): Promise<SettingsResult> {
  const form = await args.request.formData();
  try {
    await saveSettings(apiOf(args), { emailNotices: form.get("emailNotices") === "on" });
    return { ok: true };
  } catch (error) {
    return toFormError(error);
  }
}
