import type { ReactNode } from "react";
import { Link } from "react-router-dom";
import { formatDate } from "../../lib/format.ts";
import { site } from "../../lib/site.ts";
import { PageMeta } from "../../ui/page-head.tsx";

/** What takes the place of `{brand}` and the like in a text. */
type Words = Record<string, string>;
const SITE_WORDS: Words = { brand: site.brand, email: site.contact.email };

/** The paragraphs and lists of a text, which blank lines separate. Other line breaks are only layout. */
function blocksOf(text: string): string[] {
  const blocks = text.trim().split("\n\n");
  return blocks.map((block) => block.replace(/\n(?!- )\s*/g, " "));
}

/** The parts of a Markdown text: title, date of the last change, intro, and sections of paragraphs and lists. */
function parseArticle(markdown: string, words: Words) {
  const filled = markdown.replace(/\{(\w+)\}/g, (_, word: string) => words[word] ?? "");
  const [head = "", ...sections] = filled.split(/^## /m);
  const [title = "", updated = "", intro = ""] = blocksOf(head.replace(/^# /, ""));
  return {
    title,
    updated,
    intro,
    sections: sections.map((section) => {
      const [, heading = "", id = "", body = ""] = /^(.+?) \{#(.+?)\}\n(.+)$/s.exec(section) ?? [];
      return { id, heading, blocks: blocksOf(body) };
    }),
  };
}

/** The page of a text in Markdown: About, Terms, Privacy. */
export function articlePage(markdown: string, words: Words = {}) {
  const { title, updated, intro, sections } = parseArticle(markdown, { ...SITE_WORDS, ...words });
  return function ArticlePage() {
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
          {sections.map(({ id, heading, blocks }) => (
            <section key={id} id={id} tabIndex={-1} className="space-y-3 outline-none">
              <h2 className="text-xl font-semibold sm:text-2xl">{heading}</h2>
              {blocks.map((block) => (
                <Block key={block} text={block} />
              ))}
            </section>
          ))}
        </article>
      </div>
    );
  };
}

/** A paragraph, or a list of lines that begin with a dash. */
function Block({ text }: { text: string }) {
  if (!text.startsWith("- ")) return <p className="leading-relaxed">{withEmailLinks(text)}</p>;
  return (
    <ul className="list-disc space-y-2 pl-6 leading-relaxed marker:text-primary">
      {text
        .slice(2)
        .split("\n- ")
        .map((point) => (
          <li key={point}>{withEmailLinks(point)}</li>
        ))}
    </ul>
  );
}

/** The text with our email address as a link. */
function withEmailLinks(text: string): ReactNode {
  const { email } = site.contact;
  const [before, ...rest] = text.split(email);
  if (rest.length === 0) return text;
  return (
    <>
      {before}
      <a href={`mailto:${email}`} className="link wrap-anywhere">
        {email}
      </a>
      {withEmailLinks(rest.join(email))}
    </>
  );
}
