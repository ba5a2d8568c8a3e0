import { ArticlePage } from "./article-page.tsx";
import { terms } from "./content/terms.ts";

/** SPEC section 2: terms. */
export function Component() {
  return <ArticlePage write={terms} />;
}
