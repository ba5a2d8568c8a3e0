import { Link } from "react-router-dom";
import { formatDate } from "../../lib/format.ts";
import { PageMeta } from "../../ui/page-head.tsx";

export type Article = {
  title: string;
  /** Calendar date of the last change to the text. */
  updated: string;
  intro: string;
  sections: {
    /** The section's anchor in the URL. */
    id: string;
    heading: string;
    paragraphs: string[];
    points?: string[];
  }[];
};

/** A page of text: About, Terms, Privacy. */
export function ArticlePage({ title, updated, intro, sections }: Article) {
  return (
    <div className="page grid grid-cols-1 gap-10 py-6 sm:py-12 lg:grid-cols-[14rem_minmax(0,1fr)]">
      <PageMeta title={title} description={intro} />
      <header className="max-w-2xl space-y-3 lg:col-start-2">
        <h1 className="text-3xl font-semibold sm:text-5xl">{title}</h1>
        <p className="quiet text-lg">{intro}</p>
        <p className="quiet text-sm">Last updated {formatDate(updated)}</p>
      </header>
      <nav aria-label="On this page" className="hidden lg:col-start-1 lg:row-start-2 lg:block">
        <ul className="menu quiet sticky top-24 w-full border-l border-base-300 py-0">
          {sections.map(({ id, heading }) => (
            <li key={id}>
              <Link to={{ hash: id }}>{heading}</Link>
            </li>
          ))}
        </ul>
      </nav>
      <article className="max-w-2xl space-y-10 lg:col-start-2">
        {sections.map(({ id, heading, paragraphs, points }) => (
          <section key={id} id={id} tabIndex={-1} className="space-y-3 outline-none">
            <h2 className="text-xl font-semibold sm:text-2xl">{heading}</h2>
            {paragraphs.map((paragraph) => (
              <p key={paragraph} className="leading-relaxed">
                {paragraph}
              </p>
            ))}
            {points && (
              <ul className="list-disc space-y-2 pl-6 leading-relaxed marker:text-primary">
                {points.map((point) => (
                  <li key={point}>{point}</li>
                ))}
              </ul>
            )}
          </section>
        ))}
      </article>
    </div>
  );
}
