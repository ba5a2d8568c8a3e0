import { PageHeading } from "../ui/page-head.tsx";

const CARDS = ["a", "b", "c", "d", "e", "f"];

/** Browse Tasks while its first tasks load, with the same layout, so that nothing shifts. */
export function BrowseSkeleton() {
  return (
    <div className="page space-y-5 py-6 sm:py-10" role="status" aria-label="Loading tasks">
      <PageHeading
        title="Browse Tasks"
        description="Browse fixed-price freelance tasks by category, title and deadline."
      >
        Fixed-price work from clients who have named their budget and their deadline.
      </PageHeading>
      <div className="@container space-y-3">
        <div className="h-10 rounded-field border border-base-300 bg-base-100 sm:h-84 sm:rounded-box @2xl:h-65 @6xl:h-45" />
        <div className="h-8" />
      </div>
      <div aria-hidden="true" className="grid grid-cols-1 gap-5 md:grid-cols-2 lg:grid-cols-3">
        {CARDS.map((card) => (
          <div key={card} className="card h-72 space-y-4 p-5">
            <div className="skeleton h-6 w-1/3" />
            <div className="skeleton h-6 w-5/6" />
            <div className="skeleton h-14" />
            <div className="skeleton h-10 w-1/2" />
          </div>
        ))}
      </div>
    </div>
  );
}
