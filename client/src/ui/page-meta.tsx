import { useEffect } from "react";
import { pageTitle, site } from "../lib/site.ts";

/** Sets the document's title to `{page} | {brand}` and its description. Renders nothing. */
export function PageMeta({ title, description = site.description }: { title: string; description?: string }) {
  useEffect(() => {
    document.title = pageTitle(title);
    document.querySelector('meta[name="description"]')?.setAttribute("content", description);
  }, [title, description]);
  return null;
}
