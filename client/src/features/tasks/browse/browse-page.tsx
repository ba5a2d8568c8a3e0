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

/** With more cards than these, those off the screen are not laid out. */
const LONG_LIST = 12;

/** The public version of Browse, as cards. */
export function BrowsePage({ saveSearch }: BrowseSlots) {
  const data = useBrowseData();
  const long = data.items.length > LONG_LIST;
  const list = useRef<HTMLUListElement>(null);
  // Off-screen cards of a long list are not laid out: a switch of the theme takes half as long with 24 cards on a slow
  // phone. They are once, at first: the browser then remembers their heights, and the place that somebody comes back to
  // is the right one. The first ones stay: what is on the screen would be away for a frame.
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
              className="grid grid-cols-1 [contain-intrinsic-size:auto_22rem] [overflow-clip-margin:2rem] in-data-long:nth-[n+10]:[content-visibility:auto]"
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
