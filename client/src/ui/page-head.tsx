import { type ReactNode, useEffect } from "react";
import { useLocation } from "react-router-dom";
import { pageTitle, site } from "../lib/site.ts";

type Props = {
  title: string;
  description?: string;
  /** A 404 page, which search engines must not index. */
  missing?: boolean;
  /** True for other pages that search engines must not index. */
  unlisted?: boolean | undefined;
  /** The path of the page with this content, if it is not this one. */
  path?: string;
  /** The URL of an Atom feed with the page's content. */
  feed?: string;
  /** JSON-LD about the page's content, for crawlers that run no scripts. */
  facts?: object;
};

/** What a page sets in its document's head. */
export type PageFacts = {
  path: string;
  title: string;
  description: string;
  missing: boolean;
  unlisted: boolean;
  feed: string | undefined;
  facts?: object | undefined;
};

let recorded: PageFacts | undefined;

/** Records the facts of the next rendered page. Returns a function that reads them. For prerendering only. */
export function recordPageFacts(): () => PageFacts | undefined {
  recorded = undefined;
  return () => recorded;
}

let page = "";
let unread = 0;

/** Sets the document's title. */
function setPageTitle(title: string): void {
  page = title;
  show();
}

/** Prefixes the title of every page with the number of unread conversations, as in `(2) Home`. */
export function setUnreadInTitle(count: number): void {
  unread = count;
  show();
}

function show(): void {
  if (page) document.title = unread > 0 ? `(${unread}) ${page}` : page;
}

/**
 * Sets the document's title `{page} | {brand}`, description, canonical URL (without the query, since filtered lists are
 * not separate pages), their Open Graph equivalents and the feed. Renders nothing.
 */
export function PageMeta({
  title,
  description = site.description,
  missing = false,
  unlisted = missing,
  path,
  feed,
  facts,
}: Props) {
  const { pathname } = useLocation();
  const canonical = path ?? pathname.replace(/(.)\/+$/, "$1");
  if (import.meta.env.SSR)
    recorded = { path: canonical, title: pageTitle(title), description, missing, unlisted, feed, facts };

  useEffect(() => {
    const fullTitle = pageTitle(title);
    const url = window.location.origin + canonical;
    setPageTitle(fullTitle);
    setMeta("name", "description", description);
    setMeta("property", "og:title", fullTitle);
    setMeta("property", "og:description", description);
    setMeta("property", "og:url", url);
    headElement<HTMLLinkElement>('link[rel="canonical"]', "link", { rel: "canonical" }).href = url;
    if (unlisted) setMeta("name", "robots", "noindex");
    else document.head.querySelector('meta[name="robots"]')?.remove();
    if (feed) headElement<HTMLLinkElement>(FEED, "link", FEED_LINK).href = feed;
    else document.head.querySelector(FEED)?.remove();
  }, [title, description, unlisted, canonical, feed]);
  return null;
}

const FEED = 'link[rel="alternate"]';
const FEED_LINK = { rel: "alternate", type: "application/atom+xml", title: `${site.brand} tasks` };

function setMeta(kind: "name" | "property", key: string, content: string): void {
  headElement<HTMLMetaElement>(`meta[${kind}="${key}"]`, "meta", { [kind]: key }).content = content;
}

function headElement<T extends HTMLElement>(
  selector: string,
  tag: string,
  attributes: Record<string, string>,
): T {
  const existing = document.head.querySelector<T>(selector);
  if (existing) return existing;
  const created = document.createElement(tag) as T;
  for (const [name, value] of Object.entries(attributes)) created.setAttribute(name, value);
  document.head.append(created);
  return created;
}

type HeadingProps = Props & {
  /** The h1, if it differs from the document's title. */
  heading?: string;
  /** The subtitle. */
  children?: ReactNode;
  action?: ReactNode;
};

/** A page's h1 with a subtitle and actions, and its {@link PageMeta}. */
export function PageHeading({ heading, children, action, ...meta }: HeadingProps) {
  return (
    <header className="flex flex-wrap items-end justify-between gap-4">
      <PageMeta {...meta} />
      <div className="max-w-2xl min-w-0 space-y-2">
        <h1 className="text-3xl font-semibold wrap-anywhere max-sm:text-[min(1.875rem,13vw)] sm:text-4xl">
          {heading ?? meta.title}
        </h1>
        {children && <p className="quiet text-base text-pretty sm:text-lg">{children}</p>}
      </div>
      {action}
    </header>
  );
}
