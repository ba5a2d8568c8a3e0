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

/** Until cards that came have been laid out, with their images and fonts. In ms. */
const LAID_OUT_MS = 500;

/** The public version of Browse, as cards. */
export function BrowsePage({ saveSearch }: BrowseSlots) {
  const data = useBrowseData();
  const list = useRef<HTMLUListElement>(null);
  const last = data.items.at(-1)?._id;
  // Cards off the screen are not rendered (styles.css), each after it was once: the browser then remembers its height, and
  // the place that somebody comes back to is the right one. What is on the screen would blink.
  useEffect(() => {
    const timer = window.setTimeout(() => {
      for (const card of list.current?.children ?? [])
        if (card.getBoundingClientRect().top > window.innerHeight) card.setAttribute("data-laid-out", "");
    }, LAID_OUT_MS);
    return () => window.clearTimeout(timer);
  }, [last]);
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
            <li key={task._id} className="browse-card grid grid-cols-1">
              <TaskCard task={task} action="See more" heading="h2" />
            </li>
          ))}
        </ul>
      )}
      <MoreTasks {...data} />
    </div>
  );
}
