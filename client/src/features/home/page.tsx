import type { ReactNode } from "react";
import { PageMeta } from "../../ui/page-meta.tsx";

/** SPEC section 2, Home. `featured` is the grid of featured tasks. */
export function HomePage({ featured }: { featured: ReactNode }) {
  return (
    <div className="page py-10">
      <PageMeta title="Home" />
      {featured}
    </div>
  );
}
