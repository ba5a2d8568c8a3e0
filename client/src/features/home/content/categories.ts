import design from "../art/category-design.svg";
import marketing from "../art/category-marketing.svg";
import seo from "../art/category-seo.svg";
import smartAi from "../art/category-smart-ai.svg";
import webDevelopment from "../art/category-web-development.svg";
import writing from "../art/category-writing.svg";

export type ShowcaseCategory = { name: string; image: string; alt: string };

/** The six of the home carousel (SPEC section 2); tasks themselves know only the contract's four. */
export const categories: ShowcaseCategory[] = [
  { name: "Web Development", image: webDevelopment, alt: "A code window with two lanes running through it" },
  { name: "Design", image: design, alt: "A pen nib drawing a curve between anchor points" },
  { name: "Writing", image: writing, alt: "A pencil drawing the last line of a page onward" },
  { name: "SEO", image: seo, alt: "A magnifying glass over the highest step of a rising line" },
  { name: "Marketing", image: marketing, alt: "A megaphone sending cards out on three lanes" },
  { name: "Smart Ai Services", image: smartAi, alt: "A chip with a spark where several lanes meet" },
];
