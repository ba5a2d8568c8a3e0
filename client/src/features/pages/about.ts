import { termsInWords } from "@tasklane/server/contract";
import text from "./about.md?raw";
import { articlePage } from "./article-page.tsx";

export const Component = articlePage(text, { terms: termsInWords() });
