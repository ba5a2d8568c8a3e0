import { SAVED_SEARCH_LIMITS, type SavedSearchChanges, savedSearchFields } from "@tasklane/server/contract";
import { BellPlus } from "lucide-react";
import { type ActionFunctionArgs, Link, type LoaderFunctionArgs } from "react-router-dom";
import * as z from "zod/mini";
import { apiOf, loadQuery, useApi } from "../../lib/api-context.tsx";
import { type FormResult, submitForm, toFormError } from "../../lib/forms.ts";
import { useLoadedQuery } from "../../lib/loaded-query.ts";
import { meQuery } from "../../lib/me.ts";
import { paths } from "../../lib/paths.ts";
import { notify } from "../../ui/notify.tsx";
import { PageHeading, PageMeta } from "../../ui/page-head.tsx";
import { StatePanel } from "../../ui/state-panel.tsx";
import { savedSearchesQuery } from "./saved-search-queries.ts";
import { SearchCard } from "./search-card.tsx";

/** Loads the user's searches, and whether this installation sends emails. */
export async function loader(args: LoaderFunctionArgs): Promise<null> {
  const api = apiOf(args);
  await Promise.all([loadQuery(args, savedSearchesQuery(api)), loadQuery(args, meQuery(api))]);
  return null;
}

const nameSchema = z.pick(savedSearchFields, { name: true });
const mailSchema = z.pick(savedSearchFields, { mail: true });

/** Saves a search, or changes or deletes the one that the form names, depending on the form's `act`. */
export async function action(args: ActionFunctionArgs): Promise<FormResult> {
  const form = await args.request.formData();
  const api = apiOf(args);
  const params = { id: String(form.get("search-id")) };
  const change = (body: SavedSearchChanges) =>
    api.call("PATCH /me/searches/:id", { params, body, isRepeatable: true });
  switch (form.get("act")) {
    case "save":
      return submitForm(form, savedSearchFields, (body, idempotencyKey) =>
        api.call("POST /me/searches", { body, idempotencyKey }),
      );
    case "rename":
      return submitForm(form, nameSchema, change);
    case "mail":
      return submitForm(form, mailSchema, change);
  }
  try {
    if (form.get("act") === "delete") {
      await api.call("DELETE /me/searches/:id", { params });
      // A toast, because the card is gone.
      notify.success("Search deleted.", { topic: "saved-search" });
    } else await change({ paused: form.get("act") === "pause" });
    return { ok: true };
  } catch (error) {
    return toFormError(error);
  }
}

/** The user's saved searches. */
export function Component() {
  const api = useApi();
  const searches = useLoadedQuery(savedSearchesQuery(api));
  const { emailAvailable } = useLoadedQuery(meQuery(api));
  const browse = (
    <Link to={paths.dashBrowse} className="btn btn-primary">
      Browse Tasks
    </Link>
  );
  return (
    <div className="max-w-4xl space-y-6">
      <PageMeta title="Saved Searches" />
      <PageHeading title="Saved Searches" action={searches.length > 0 && browse}>
        You get a notification for each new task that matches.
      </PageHeading>
      {searches.length === 0 ? (
        <StatePanel icon={<BellPlus className="size-7" />} title="No saved searches yet" action={browse}>
          Search or filter in Browse Tasks, then choose “Save this search”. You will be notified of new tasks
          that match.
        </StatePanel>
      ) : (
        <>
          <p className="quiet text-sm tabular-nums">
            {searches.length} of {SAVED_SEARCH_LIMITS.perPerson} searches
          </p>
          <ul className="grid grid-cols-1 gap-4">
            {searches.map((search) => (
              <SearchCard key={search._id} search={search} emails={emailAvailable} />
            ))}
          </ul>
        </>
      )}
    </div>
  );
}
