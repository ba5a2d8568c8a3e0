import { articlePage } from "./article-page.tsx";
import text from "./privacy.md?raw";

export const Component = articlePage(text);
