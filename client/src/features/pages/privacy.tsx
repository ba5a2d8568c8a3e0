import { ArticlePage } from "./article-page.tsx";
import { privacy } from "./content/privacy.ts";

/** SPEC section 2: privacy. */
export function Component() {
  return <ArticlePage write={privacy} />;
}
