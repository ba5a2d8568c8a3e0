import { useEffect, useRef } from "react";
import { apiOrigin } from "../../../lib/env.ts";
import { useAsList } from "../../../ui/last-list.ts";
import { useListUpdate } from "../../../ui/lists.tsx";
import { PageHeading } from "../../../ui/page-head.tsx";
import { TaskCard } from "../task-card.tsx";
import { feedUrl } from "../task-filters.ts";
import { BrowseResults, useBrowseData } from "./browse-results.tsx";

export { loader } from "./browse-results.tsx";

/** Time for new cards to be laid out with their images and fonts, in ms. */
const LAYOUT_MS = 500;

/** The public Browse page: tasks as cards. */
export function Component() {
  useAsList("Browse Tasks");
  const data = useBrowseData();
  const list = useRef<HTMLUListElement>(null);
  const last = data.items.at(-1)?._id;
  // Off-screen cards skip rendering (`data-laid-out` in styles.css), but only after one layout, so that the browser
  // remembers their height and restores the scroll position. Cards on the screen are left out because they would flash.
  useEffect(() => {
    const timer = window.setTimeout(() => {
      // All are measured before any is changed: otherwise each would be laid out anew.
      const isBelow = (card: Element) => card.getBoundingClientRect().top > window.innerHeight;
      const below = [...(list.current?.children ?? [])].filter(isBelow);
      for (const card of below) card.setAttribute("data-laid-out", "");
    }, LAYOUT_MS);
    return () => window.clearTimeout(timer);
  }, [last]);
  const stale = useListUpdate();
  return (
    <div className="page space-y-5 py-6 sm:py-10">
      <PageHeading
        title="Browse Tasks"
        description="Browse fixed-price freelance tasks by category, title and deadline."
        feed={apiOrigin + feedUrl(data.state)}
      >
        Fixed-price work from clients who have named their budget and their deadline.
      </PageHeading>
      <BrowseResults list={data}>
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
      </BrowseResults>
    </div>
  );
}
