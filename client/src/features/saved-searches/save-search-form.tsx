import { useQuery } from "@tanstack/react-query";
import { SAVED_SEARCH_LIMITS, type SavedFilters } from "@tasklane/server/contract";
import { useEffect } from "react";
import { Link, useFetcher } from "react-router-dom";
import { useAuth } from "../../auth/auth-context.tsx";
import { useApi } from "../../lib/api-context.tsx";
import { openTabDraft, renewIdempotencyKey } from "../../lib/drafts.ts";
import type { FormResult } from "../../lib/forms.ts";
import { meQuery } from "../../lib/me.ts";
import { paths } from "../../lib/paths.ts";
import { ActionForm } from "../../ui/action-form.tsx";
import { Field } from "../../ui/field.tsx";
import { FormDone } from "../../ui/form-done.tsx";
import { Spinner } from "../../ui/state-panel.tsx";
import { FilterList } from "./filter-list.tsx";
import { findSame, MAIL_OPTIONS, savedSearchesQuery, suggestName } from "./saved-search-queries.ts";

type Props = { filters: SavedFilters; onDone: () => void };

/** Names a search, and says when its new tasks are emailed. */
export function SaveSearchForm({ filters, onDone }: Props) {
  const fetcher = useFetcher<FormResult>();
  const api = useApi();
  const me = useQuery(meQuery(api));
  const saved = useQuery(savedSearchesQuery(api));
  // Browse is for visitors, too, whose pages look for no drafts of people.
  const draft = openTabDraft(`search.${JSON.stringify(filters)}`);
  const same = findSame(saved.data ?? [], filters);
  const isMissing = saved.isSuccess && !saved.isFetching && !same;
  // What an earlier try may have saved is deleted since: with its key, the server would take this one as done.
  useEffect(() => {
    if (isMissing) renewIdempotencyKey(draft);
  }, [draft, isMissing]);
  // What they have is good to know; where it cannot be read, they save all the same.
  if (me.isPending || saved.isPending) return <Spinner />;
  if (fetcher.data?.ok) return <Saved onDone={onDone} />;
  const emails = me.data?.emailAvailable ?? false;
  if ((saved.data?.length ?? 0) >= SAVED_SEARCH_LIMITS.perPerson) return <NoRoom />;
  return (
    <ActionForm
      fetcher={fetcher}
      name="save-search"
      action={paths.searches}
      values={{ name: suggestName(filters), mail: emails ? "daily" : "never" }}
      draft={draft}
      submit="Save search"
      busy="Saving…"
    >
      <input type="hidden" name="act" value="save" />
      {Object.entries(filters).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      <FilterList filters={filters} />
      {same && (
        <p role="status" className="text-sm">
          You have saved this search as{" "}
          <Link to={paths.searches} className="link link-primary">
            <bdi>{same.name}</bdi>
          </Link>{" "}
          before.
        </p>
      )}
      <Field name="name" label="Name" limit={SAVED_SEARCH_LIMITS.name} required />
      {emails ? (
        <Field name="mail" label="Email me new tasks" hint={<MailHint />} options={MAIL_OPTIONS} required />
      ) : (
        <input type="hidden" name="mail" value="never" />
      )}
    </ActionForm>
  );
}

function MailHint() {
  const { user } = useAuth();
  return user?.emailVerified
    ? "Under the bell you are told of each at once, whatever you choose."
    : "Emails begin once you have verified your address. Under the bell you are told of each at once.";
}

function Saved({ onDone }: { onDone: () => void }) {
  const searches = (
    <Link to={paths.searches} className="btn btn-ghost">
      My saved searches
    </Link>
  );
  return <FormDone text="Saved. We’ll tell you of new tasks that match." onClose={onDone} more={searches} />;
}

function NoRoom() {
  return (
    <div className="space-y-4">
      <p>
        You have {SAVED_SEARCH_LIMITS.perPerson} saved searches, as many as possible. Delete one that you do
        not need any more.
      </p>
      <Link to={paths.searches} className="btn btn-primary">
        My saved searches
      </Link>
    </div>
  );
}
