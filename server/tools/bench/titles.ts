import { seededRandom } from "../../test/many-tasks.ts";

/** The benchmark's searches, by how many titles they match. */
export const SEARCHES = {
  /** One of the 32 verbs: in about every 32nd title. */
  frequent: "build",
  /** In {@link RARE_COUNT} titles, however many tasks there are. */
  rare: "zeppelin",
  /** Both words are frequent but never adjacent, so the index alone cannot rule out a match. */
  absent: "logo bakery",
  /** No title contains any of its trigrams. */
  unknown: "quokka",
} as const;

export const RARE_COUNT = 5;

const VERBS =
  list(`Build, Fix, Speed up, Migrate, Rebuild, Test, Extend, Review, Design, Redraw, Refresh, Lay out, Illustrate,
  Sketch, Polish, Retouch, Write, Edit, Translate, Proofread, Shorten, Rewrite, Outline, Check, Plan, Audit, Grow, Launch,
  Measure, Promote, Schedule, Improve`);
const OBJECTS =
  list(`a booking page, the checkout, a REST API, a landing page, an image gallery, a login form, a price
  calculator, the search, a logo, 40 icons, a menu card, a book cover, a poster, a business card, a brand guide, the packaging,
  a newsletter, a grant application, a user manual, three blog posts, case studies, a press release, product texts, an e-book,
  a spring campaign, an ads account, the mailing list, keyword research, a product launch, social media posts, a survey`);
const CLIENTS =
  list(`bakery, bike rental, pottery studio, museum, dentist, brewery, vineyard, hotel, bookshop, flower shop,
  climbing gym, language school, law firm, toy maker, farm shop, film festival, yoga teacher, coffee roaster`);
const PLACES =
  list(`Lisbon, Dhaka, Oslo, Quito, Kyoto, Zagreb, Nairobi, Graz, Örebro, Montréal, Chennai, Austin, Lagos, Hanoi,
  Porto, Leeds, Cusco, Tartu, Perth, Gdańsk`);
const QUALIFIERS = [
  "",
  "",
  ", in two weeks",
  ", with sources",
  " (second round)",
  " - urgent",
  ", ready for print",
];

/** Realistic titles for `count` tasks, the same in every run. */
export function titlesFor(count: number): (index: number) => string {
  const roll = seededRandom(count);
  const pick = (from: readonly string[]) => from[Math.floor(roll() * from.length)] ?? "";
  const rareEvery = Math.ceil(count / RARE_COUNT);
  return (index) => {
    const client = index % rareEvery === 7 ? `${SEARCHES.rare} hangar` : pick(CLIENTS);
    return `${pick(VERBS)} ${pick(OBJECTS)} for a ${client} in ${pick(PLACES)}${pick(QUALIFIERS)}`;
  };
}

function list(text: string): string[] {
  return text.split(",").map((item) => item.trim().replace(/\s+/g, " "));
}
