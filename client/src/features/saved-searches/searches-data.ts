import { savedSearchFields } from "@tasklane/server/contract";
import type { ActionFunctionArgs } from "react-router-dom";
import * as z from "zod/mini";
import { apiOf } from "../../lib/api-context.tsx";
import { type FormResult, submitForm, toFormError } from "../../lib/forms.ts";
import { notify } from "../../ui/notify.tsx";
import { changeSearch, deleteSearch, saveSearch } from "./saved-search-queries.ts";

/** What a person fills in to rename a search. */
const nameSchema = z.pick(savedSearchFields, { name: true });
const mailSchema = z.pick(savedSearchFields, { mail: true });

/** Saves a search, or renames, mutes, pauses or deletes the one that the form names. */
export async function action(args: ActionFunctionArgs): Promise<FormResult> {
  const form = await args.request.formData();
  const api = apiOf(args);
  const id = String(form.get("search-id"));
  switch (form.get("act")) {
    case "save":
      return submitForm(form, savedSearchFields, async (draft, idempotencyKey) => {
        await saveSearch(api, draft, idempotencyKey);
        return {};
      });
    case "rename":
      return submitForm(form, nameSchema, async (changes) => {
        await changeSearch(api, id, changes);
        return {};
      });
    case "mail":
      return submitForm(form, mailSchema, async (changes) => {
        await changeSearch(api, id, changes);
        return {};
      });
  }
  try {
    if (form.get("act") === "delete") {
      await deleteSearch(api, id);
      // Its card, which could say it, is gone.
      notify.success("Search deleted.", { topic: "saved-search" });
    } else await changeSearch(api, id, { paused: form.get("act") === "pause" });
    return { ok: true };
  } catch (error) {
    return toFormError(error);
  }
}
