import type { ReactNode } from "react";
import type { ListQuery } from "../../../lib/queries.ts";
import { PageHeading, PageMeta } from "../../../ui/page-head.tsx";
import { useListUpdate } from "../../../ui/use-list-update.ts";
import { useShownList } from "../../../ui/use-shown-list.tsx";

type Props<T> = {
  title: string;
  intro: ReactNode;
  query: ListQuery<T>;
  /** The noun for the entries, and what to do once the list has reached its maximum length. */
  what: string;
  hint: string;
  filters?: ReactNode;
  /** Shown if there are no entries. */
  empty: ReactNode;
  children: (item: T) => ReactNode;
};

/** A page of operators with a list of cards. */
export function OperatorList<T>({ title, intro, query, filters, empty, children, ...texts }: Props<T>) {
  const { items, more } = useShownList(query, texts);
  const stale = useListUpdate();
  return (
    <div className="space-y-6">
      <PageMeta title={title} />
      <PageHeading title={title}>{intro}</PageHeading>
      {filters}
      {items.length === 0 && empty}
      <ol
        aria-busy={stale}
        className={`grid grid-cols-1 gap-4 transition-opacity ${stale ? "opacity-60" : ""}`}
      >
        {items.map(children)}
      </ol>
      {more}
    </div>
  );
}
