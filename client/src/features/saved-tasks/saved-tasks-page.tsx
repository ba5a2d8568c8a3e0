import { MAX_SAVED } from "@tasklane/server/contract";
import { Heart } from "lucide-react";
import { Link, type LoaderFunctionArgs } from "react-router-dom";
import { type ListLoad, loadList } from "../../lib/api-context.tsx";
import { plural } from "../../lib/format.ts";
import { paths } from "../../lib/paths.ts";
import { useAsList } from "../../ui/last-list.ts";
import { PageHeading, PageMeta } from "../../ui/page-head.tsx";
import { StatePanel } from "../../ui/state-panel.tsx";
import { useShownList } from "../../ui/use-shown-list.tsx";
import { savedTasksQuery } from "./saved-task-queries.ts";
import { SavedTaskRow } from "./saved-task-row.tsx";

/** Loads the user's saved tasks, as many as `?shown=` says. */
export function loader(args: LoaderFunctionArgs): Promise<ListLoad> {
  return loadList(args, savedTasksQuery);
}

/** The saved tasks. */
export function Component() {
  useAsList("Saved Tasks");
  const texts = { what: "tasks", hint: "Remove some to see more." };
  const { items, total, more } = useShownList(savedTasksQuery, texts);
  return (
    <div className="max-w-3xl space-y-6">
      <PageMeta title="Saved Tasks" />
      <PageHeading title="Saved Tasks">
        You get a notification when one of them changes or closes, and two days before its deadline.
      </PageHeading>
      {items.length === 0 ? (
        <StatePanel
          icon={<Heart className="size-7" />}
          title="No saved tasks yet"
          action={
            <Link to={paths.dashBrowse} className="btn btn-primary">
              Browse Tasks
            </Link>
          }
        >
          Press the heart on a task that you want to come back to.
        </StatePanel>
      ) : (
        <>
          <p role="status" className="quiet text-sm">
            {plural(total ?? items.length, "saved task")}
            {total !== null && total > items.length && `, showing ${items.length}`}
            {total !== null && total >= MAX_SAVED && ". That is the limit: remove some first."}
          </p>
          <ul className="card divide-y divide-base-300">
            {items.map((saved) => (
              <SavedTaskRow key={saved.taskId} saved={saved} />
            ))}
          </ul>
        </>
      )}
      {more}
    </div>
  );
}
