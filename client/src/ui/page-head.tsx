import { type ReactNode, useEffect } from "react";
import { useLocation } from "react-router-dom";
import { pageTitle, site } from "../lib/site.ts";

type Props = {
  title: string;
  description?: string;
  /** There is nothing at this address: a 404 that no search engine lists. */
  missing?: boolean;
  /** The address of the page's content as an Atom feed. */
  feed?: string;
  /** What the page is about, as JSON-LD, for those who read it before any script has run. */
  facts?: object;
};

/** What a page puts into its document's head. */
export type PageFacts = {
  title: string;
  description: string;
  missing: boolean;
  feed: string | undefined;
  facts?: object | undefined;
};

let recorded: PageFacts | undefined;

/** Records the facts of the page that is rendered next. Returns a function that reads them. For prerendering only. */
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

/** Puts the number of unread conversations before the title of whatever page is shown, as in `(2) Home`. */
export function setUnreadInTitle(count: number): void {
  unread = count;
  show();
}

function show(): void {
  if (page) document.title = unread > 0 ? `(${unread}) ${page}` : page;
}

/**
 * Sets the document's title `{page} | {brand}`, description, canonical address (without the query:
 * filters are not pages of their own), their Open Graph twins and its feed. Renders nothing.
 */
export function PageMeta({ title, description = site.description, missing = false, feed, facts }: Props) {
  const { pathname } = useLocation();
  if (import.meta.env.SSR) recorded = { title: pageTitle(title), description, missing, feed, facts };

  useEffect(() => {
    const full = pageTitle(title);
    const address = window.location.origin + pathname;
    setPageTitle(full);
    setMeta("name", "description", description);
    setMeta("property", "og:title", full);
    setMeta("property", "og:description", description);
    setMeta("property", "og:url", address);
    headElement<HTMLLinkElement>('link[rel="canonical"]', "link", { rel: "canonical" }).href = address;
    if (missing) setMeta("name", "robots", "noindex");
    else document.head.querySelector('meta[name="robots"]')?.remove();
  }, [title, description, missing, pathname]);

  useEffect(() => {
    if (!feed) return;
    const link = headElement<HTMLLinkElement>(FEED, "link", FEED_LINK);
    link.href = feed;
    return () => link.remove();
  }, [feed]);
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
  const found = document.head.querySelector<T>(selector);
  if (found) return found;
  const made = document.createElement(tag) as T;
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  document.head.append(made);
  return made;
}

/** A page's one h1, a line below it, and actions beside it. */
export function PageHeading({
  title,
  children,
  action,
}: {
  title: string;
  children?: ReactNode;
  action?: ReactNode;
}) {
  return (
    <header className="flex flex-wrap items-end justify-between gap-4">
      <div className="max-w-2xl min-w-0 space-y-2">
        <h1 className="text-3xl font-semibold wrap-anywhere sm:text-4xl">{title}</h1>
        {children && <p className="quiet text-base text-pretty sm:text-lg">{children}</p>}
      </div>
      {action}
    </header>
  );
}
