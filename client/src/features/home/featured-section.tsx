import type { ReactNode } from "react";
import { Link } from "react-router-dom";
import { paths } from "../../lib/paths.ts";

/**
 * The frame of Featured Job Tasks (SPEC section 2, Home); the grid comes from outside. While it is loading, the room
 * that six cards will need is kept, so that nothing below them jumps.
 */
export function FeaturedSection({ children }: { children: ReactNode }) {
  return (
    <section aria-labelledby="featured" className="border-y border-base-300 bg-base-100">
      <div className="page py-16 md:py-24">
        <div data-reveal>
          <p className="eyebrow">Featured Job Tasks</p>
          <h2 id="featured" className="mt-2 max-w-2xl text-3xl leading-tight font-semibold sm:text-4xl">
            Explore Trending Offers and Find Dream Job
          </h2>
        </div>
        <div className="mt-10 has-[[role=status]]:min-h-[114rem] md:has-[[role=status]]:min-h-[56rem] lg:has-[[role=status]]:min-h-[37rem]">
          {children}
        </div>
        <div className="mt-10 flex justify-center">
          <Link to={paths.browse} className="btn btn-outline btn-lg btn-primary">
            Explore More Projects
          </Link>
        </div>
      </div>
    </section>
  );
}
