/**
 * Believable titles of tasks, the same in every run. A few vocabularies multiplied make many thousand different titles;
 * words that are only in {@link RARE} stand in a known few.
 */
export type Dice = () => number;

/** Numbers from 0 up to 1, the same for the same seed. */
export function dice(seed: number): Dice {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** One of these, by the dice. */
export function pick<T>(roll: Dice, from: readonly T[]): T {
  return from[Math.floor(roll() * from.length)] as T;
}

const VERBS = {
  "Web Development": ["Build", "Fix", "Speed up", "Migrate", "Rebuild", "Test", "Extend", "Review"],
  Design: ["Design", "Redraw", "Refresh", "Lay out", "Illustrate", "Sketch", "Polish", "Retouch"],
  Writing: ["Write", "Edit", "Translate", "Proofread", "Shorten", "Rewrite", "Outline", "Check"],
  Marketing: ["Plan", "Audit", "Grow", "Launch", "Measure", "Promote", "Schedule", "Improve"],
} as const;

const OBJECTS = {
  "Web Development": [
    "a booking page",
    "the checkout",
    "a REST API",
    "a landing page",
    "an image gallery",
    "a login form",
    "a price calculator",
    "the search",
  ],
  Design: [
    "a logo",
    "40 icons",
    "a menu card",
    "a book cover",
    "a poster",
    "a business card",
    "a brand guide",
    "the packaging",
  ],
  Writing: [
    "a newsletter",
    "a grant application",
    "a user manual",
    "three blog posts",
    "case studies",
    "a press release",
    "product texts",
    "an e-book",
  ],
  Marketing: [
    "a spring campaign",
    "an ads account",
    "the mailing list",
    "keyword research",
    "a product launch",
    "social media posts",
    "a loyalty programme",
    "a survey",
  ],
} as const;

const CLIENTS = [
  "bakery",
  "bike rental",
  "pottery studio",
  "museum",
  "dentist",
  "brewery",
  "vineyard",
  "hotel",
  "bookshop",
  "flower shop",
  "climbing gym",
  "language school",
  "law firm",
  "toy maker",
  "farm shop",
  "film festival",
  "yoga teacher",
  "coffee roaster",
];
const PLACES = [
  "Lisbon",
  "Dhaka",
  "Oslo",
  "Quito",
  "Kyoto",
  "Zagreb",
  "Nairobi",
  "Graz",
  "Örebro",
  "Montréal",
  "Chennai",
  "Austin",
  "Lagos",
  "Hanoi",
  "Porto",
  "Leeds",
  "Cusco",
  "Tartu",
  "Perth",
  "Gdańsk",
];
const QUALIFIERS = [
  "",
  "",
  ", in two weeks",
  ", with sources",
  " (second round)",
  ", mobile first",
  ", English and Spanish",
  " - urgent",
  ", on a small budget",
  ", ready for print",
];

/** Searches of the benchmark, and how often each is found. */
export const SEARCHES = {
  /** One eighth of one category's verbs: every 32nd title or so. */
  frequent: "build",
  /** In {@link RARE_COUNT} titles, whatever the number of tasks. */
  rare: "zeppelin",
  /** Both words are frequent, the text with both in a row is in no title: the index alone cannot tell. */
  absent: "logo bakery",
  /** No title has any of its grams. */
  unknown: "quokka",
} as const;

/** How many titles name the rare word. */
export const RARE_COUNT = 5;

/** The title of the task number `index` of `count`. */
export function titleOf(roll: Dice, category: keyof typeof VERBS, index: number, count: number): string {
  const client =
    index % Math.ceil(count / RARE_COUNT) === 7 ? `${SEARCHES.rare} hangar` : pick(roll, CLIENTS);
  const what = `${pick(roll, VERBS[category])} ${pick(roll, OBJECTS[category])}`;
  return `${what} for a ${client} in ${pick(roll, PLACES)}${pick(roll, QUALIFIERS)}`;
}
