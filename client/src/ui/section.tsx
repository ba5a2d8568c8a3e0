import type { ReactNode, RefCallback } from "react";
import { useLocation } from "react-router-dom";

const LOOKS = {
  card: { section: "card card-body gap-4 sm:p-8", heading: "text-lg" },
  side: { section: "card card-body gap-4", heading: "text-lg" },
  page: { section: "space-y-4", heading: "text-2xl" },
  list: { section: "card p-2", heading: "px-3 pt-3 pb-1 text-lg" },
  part: { section: "grid grid-cols-1 gap-4 border-t border-base-300 pt-4", heading: "" },
};

type Props = {
  /** The target of links to it. */
  id: string;
  title: ReactNode;
  /** A card, a narrower one, a part of the page, one whose items fill it, or a part of a card. */
  look?: keyof typeof LOOKS;
  /** Only for screen readers. */
  isTitleHidden?: boolean;
  /** Shown beside the heading. */
  action?: ReactNode;
  ref?: RefCallback<HTMLElement> | undefined;
  children: ReactNode;
};

/** A section that is named by its heading. */
export function Section({ id, title, look = "card", isTitleHidden = false, action, ref, children }: Props) {
  const Heading = look === "part" ? "h3" : "h2";
  const { section, heading } = LOOKS[look];
  const head = (
    <Heading
      ref={ref}
      id={id}
      tabIndex={-1}
      className={isTitleHidden ? "sr-only" : `font-semibold wrap-anywhere outline-none ${heading}`}
    >
      {title}
    </Heading>
  );
  return (
    <section className={section} aria-labelledby={id}>
      {action ? (
        <div className="flex flex-wrap items-center justify-between gap-3">
          {head}
          {action}
        </div>
      ) : (
        head
      )}
      {children}
    </section>
  );
}

/**
 * For the heading of a section that loads after the page: scrolls to it once it is there, if the URL's hash is its id.
 * Before that, the page was too short to be scrolled there.
 */
export function useScrollHere(id: string, isLoaded: boolean): RefCallback<HTMLElement> | undefined {
  const isAddressed = useLocation().hash === `#${id}`;
  return isAddressed && isLoaded ? scrollHere : undefined;
}

const scrollHere = (heading: HTMLElement | null) => heading?.scrollIntoView();
