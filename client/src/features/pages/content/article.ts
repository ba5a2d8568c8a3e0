/** Structured text of a static page; the page decides how it looks. */
type ArticleSection = {
  /** The section's anchor in the address. */
  id: string;
  heading: string;
  paragraphs: string[];
  points?: string[];
};

export type Article = {
  title: string;
  /** Calendar date of the last change to the text. */
  updated: string;
  intro: string;
  sections: ArticleSection[];
};

/** What the texts need to know about the site they stand on; it comes from configuration. */
export type ArticleSite = { brand: string; email: string };
