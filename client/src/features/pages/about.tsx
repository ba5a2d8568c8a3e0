import { ArticlePage } from "./article-page.tsx";
import { about } from "./content/about.ts";

/** SPEC section 2: about. */
export function Component() {
  return <ArticlePage write={about} />;
}
