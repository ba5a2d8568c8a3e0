import { formatDate } from "../../lib/format.ts";
import { site } from "../../lib/site.ts";
import { PageMeta } from "../../ui/page-meta.tsx";
import type { Article } from "./content/article.ts";

type Props = { write: (facts: { brand: string; email: string }) => Article };

/** A page of text: About, Terms, Privacy. */
export function ArticlePage({ write }: Props) {
  const { title, updated, intro, sections } = write({ brand: site.brand, email: site.contact.email });
  return (
    <div className="page grid grid-cols-1 gap-10 py-12 lg:grid-cols-[14rem_minmax(0,1fr)]">
      <PageMeta title={title} description={intro} />
      <header className="max-w-2xl space-y-3 lg:col-start-2">
        <h1 className="text-3xl font-semibold sm:text-5xl">{title}</h1>
        <p className="quiet text-lg">{intro}</p>
        <p className="quiet text-sm">Last updated {formatDate(updated)}</p>
      </header>
      <nav aria-label="On this page" className="hidden lg:col-start-1 lg:row-start-2 lg:block">
        <ul className="sticky top-24 grid grid-cols-1 gap-1 border-l border-base-300 text-sm">
          {sections.map(({ id, heading }) => (
            <li key={id}>
              <a href={`#${id}`} className="quiet block px-4 py-1.5 hover:text-primary">
                {heading}
              </a>
            </li>
          ))}
        </ul>
      </nav>
      <article className="max-w-2xl space-y-10 lg:col-start-2">
        {sections.map(({ id, heading, paragraphs, points }) => (
          <section key={id} id={id} className="space-y-3">
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
