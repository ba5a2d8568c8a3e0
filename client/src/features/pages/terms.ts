import { DAYS_TO_REACT, termsInWords } from "@tasklane/server/contract";
import { articlePage } from "./article-page.tsx";
import text from "./terms.md?raw";

export const Component = articlePage(text, { days: String(DAYS_TO_REACT), terms: termsInWords() });
