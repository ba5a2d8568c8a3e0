import {
  type EmailFrequency,
  SAVED_SEARCH_LIMITS,
  type SavedSearch,
  type SavedSearchChanges,
  savedSearchFields,
} from "@tasklane/server/contract";
import { BellPlus, Pause, PencilLine, Play, Trash2 } from "lucide-react";
import { useState } from "react";
import { Link, type LoaderFunctionArgs } from "react-router-dom";
import * as z from "zod/mini";
import type { Api } from "../../lib/api.ts";
import { paths } from "../../lib/paths.ts";
import { loadQuery, meQuery, useLoadedQuery } from "../../lib/queries.tsx";
import { useAction } from "../../lib/submission.ts";
import { BusyButton } from "../../ui/busy-button.tsx";
import { Options } from "../../ui/choice.tsx";
import { confirm } from "../../ui/confirm.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { Field } from "../../ui/field.tsx";
import { FormAlert } from "../../ui/form-alert.tsx";
import { Menu, MenuItem } from "../../ui/menu.tsx";
import { notify } from "../../ui/notify.tsx";
import { PageHeading } from "../../ui/page-head.tsx";
import { SchemaForm } from "../../ui/schema-form.tsx";
import { StateBadge } from "../../ui/state-badge.tsx";
import { StatePanel } from "../../ui/state-panel.tsx";
import { useSavedChoice } from "../../ui/use-saved-choice.tsx";
import { browseAddress, FilterList, MAIL_OPTIONS, savedSearchesQuery } from "./saved-search.tsx";

/** Loads the user's searches, and whether this installation sends emails. */
export async function loader(args: LoaderFunctionArgs): Promise<null> {
  await Promise.all([loadQuery(args, savedSearchesQuery), loadQuery(args, meQuery)]);
  return null;
}

/** The user's saved searches. */
export function Component() {
  const searches = useLoadedQuery(savedSearchesQuery);
  const { emailAvailable } = useLoadedQuery(meQuery);
  const browse = (
    <Link to={paths.dashBrowse} className="btn btn-primary">
      Browse Tasks
    </Link>
  );
  return (
    <div className="max-w-3xl space-y-6">
      <PageHeading title="Saved Searches" action={searches.length > 0 && browse}>
        You get a notification for each new task that matches.
      </PageHeading>
      {searches.length === 0 ? (
        <StatePanel icon={<BellPlus />} title="No saved searches yet" action={browse}>
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

const nameSchema = z.pick(savedSearchFields, { name: true });

const changeSearch = (call: Api["call"], id: string, body: SavedSearchChanges) =>
  call("PATCH /me/searches/:id", { params: { id }, body, isRepeatable: true });

type Props = {
  search: SavedSearch;
  /** Can this installation send email? */
  emails: boolean;
};

/** One saved search with its filters, email setting and actions. */
export function SearchCard({ search, emails }: Props) {
  const { _id, name, paused } = search;
  const { busy, error, send } = useAction(async (call, act: "pause" | "resume" | "delete") => {
    if (act !== "delete") return changeSearch(call, _id, { paused: act === "pause" });
    await call("DELETE /me/searches/:id", { params: { id: _id } });
    // A toast, because the card is gone.
    notify.success("Search deleted.", { topic: "saved-search" });
  });
  const [isRenaming, setIsRenaming] = useState(false);
  const remove = async () => {
    if (busy) return;
    const text = `You will no longer be notified of new tasks for “${name}”.`;
    if (await confirm({ title: "Delete this search?", text, yes: "Yes, delete it" })) await send("delete");
  };
  return (
    <li className={`card card-body gap-4 ${busy ? "opacity-60" : ""}`}>
      <div className="flex items-start justify-between gap-3">
        <div className="flex min-w-0 flex-wrap items-center gap-x-3 gap-y-1">
          <h2 dir="auto" className="text-lg font-semibold wrap-anywhere">
            {name}
          </h2>
          {paused && (
            <StateBadge tone="quiet" icon={<Pause />}>
              Paused
            </StateBadge>
          )}
        </div>
        <Menu label={`More for ${name}`} className="btn btn-square btn-ghost btn-sm">
          <MenuItem icon={<PencilLine />} onSelect={() => setIsRenaming(true)}>
            Rename
          </MenuItem>
          <MenuItem icon={<Trash2 />} busy={busy} onSelect={() => void remove()}>
            Delete
          </MenuItem>
        </Menu>
      </div>
      <FilterList filters={search} />
      <FormAlert error={error}>{error && `Not saved. ${error.message}`}</FormAlert>
      <div className="flex flex-wrap items-end justify-between gap-4">
        {emails && <MailChoice search={search} />}
        <div className="flex flex-wrap gap-2">
          <Link
            to={browseAddress(search)}
            className="btn btn-outline btn-sm"
            aria-label={`Show tasks: ${name}`}
          >
            Show tasks
          </Link>
          <BusyButton
            className="btn btn-ghost btn-sm"
            aria-label={`${paused ? "Resume" : "Pause"} ${name}`}
            busy={busy}
            onClick={() => send(paused ? "resume" : "pause")}
          >
            {paused ? <Play /> : <Pause />}
            {paused ? "Resume" : "Pause"}
          </BusyButton>
        </div>
      </div>
      <Dialog title="Rename this search" open={isRenaming} onClose={() => setIsRenaming(false)}>
        <Rename search={search} />
      </Dialog>
    </li>
  );
}

/** Shows the new choice immediately, and reverts it with a message if saving fails. */
function MailChoice({ search: { _id, name, mail } }: { search: SavedSearch }) {
  const { value, choose, feedback } = useSavedChoice<EmailFrequency>(mail, (call, mail) =>
    changeSearch(call, _id, { mail }),
  );
  const id = `mail-${_id}`;
  return (
    <div>
      <label htmlFor={id} className="mb-1.5 block text-sm font-semibold">
        Email new tasks <span className="sr-only">for {name}</span>
      </label>
      <select
        id={id}
        className="select select-sm"
        value={value}
        onChange={(event) => void choose(event.target.value as EmailFrequency)}
      >
        <Options options={MAIL_OPTIONS} />
      </select>
      {feedback}
    </div>
  );
}

function Rename({ search: { _id, name } }: { search: SavedSearch }) {
  return (
    <SchemaForm
      schema={nameSchema}
      stored={{ name }}
      draft={`rename.${_id}`}
      save={(body, call) => changeSearch(call, _id, body)}
      submit="Rename"
      busy="Renaming…"
      inDialog="cancel"
    >
      <Field name="name" label="Name" limit={SAVED_SEARCH_LIMITS.name} required />
    </SchemaForm>
  );
}
