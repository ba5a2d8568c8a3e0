import { useEffect, useRef } from "react";
import { useNavigation } from "react-router-dom";
import { apiOrigin } from "../../../lib/env.ts";
import { paths } from "../../../lib/paths.ts";
import { PageHeading, PageMeta } from "../../../ui/page-head.tsx";
import { TaskCard } from "../task-card.tsx";
import { feedAddress } from "../task-filters.ts";
import { useBrowseData } from "./browse-data.ts";
import { MoreTasks, NoTasks, ResultLine } from "./browse-results.tsx";
import { type BrowseSlots, FilterBar } from "./filter-bar.tsx";

const LONG_LIST = 120;

/** The public version of Browse, as cards. */
export function BrowsePage({ saveSearch }: BrowseSlots) {
  const data = useBrowseData();
  const long = data.items.length > LONG_LIST;
  const list = useRef<HTMLUListElement>(null);
  // Off-screen cards of a long list are not laid out; in a short one that would only cut their shadows. They are once,
  // at first: the browser then remembers their heights, and the place that somebody comes back to is the right one.
  useEffect(() => {
    const once = window.setTimeout(() => list.current?.toggleAttribute("data-long", long), 500);
    return () => window.clearTimeout(once);
  }, [long]);
  const stale = useNavigation().location?.pathname === paths.browse;
  return (
    <div className="page space-y-5 py-6 sm:py-10">
      <PageMeta
        title="Browse Tasks"
        description="Browse fixed-price freelance tasks by category, title and deadline."
        feed={apiOrigin + feedAddress(data.state)}
      />
      <PageHeading title="Browse Tasks">
        Fixed-price work from clients who have named their budget and their deadline.
      </PageHeading>
      <FilterBar {...data} saveSearch={saveSearch}>
        <ResultLine {...data} />
      </FilterBar>
      {data.items.length === 0 ? (
        <NoTasks {...data} />
      ) : (
        <ul
          ref={list}
          aria-busy={stale}
          className={`grid grid-cols-1 gap-5 transition-opacity md:grid-cols-2 lg:grid-cols-3 ${stale ? "opacity-60" : ""}`}
        >
          {data.items.map((task) => (
            <li
              key={task._id}
              className="grid grid-cols-1 [contain-intrinsic-size:auto_22rem] in-data-long:[content-visibility:auto]"
            >
              <TaskCard task={task} action="See more" heading="h2" />
            </li>
          ))}
        </ul>
      )}
      <MoreTasks {...data} />
    </div>
  );
}
