import type { Control } from "./page-snapshot.ts";

/** Random choices of a run, the same for the same seed. */
export type Random = {
  /** A number from 0 (inclusive) to 1 (exclusive). */
  roll(): number;
  pick<T>(from: readonly T[]): T;
  /** Picks one of them with a probability proportional to its weight. */
  weighted<T>(from: readonly (readonly [weight: number, what: T])[]): T;
};

export function createRandom(roll: () => number): Random {
  return {
    roll,
    pick: (from) => from[Math.floor(roll() * from.length)] as (typeof from)[number],
    weighted(from) {
      const total = from.reduce((sum, [weight]) => sum + weight, 0);
      let at = roll() * total;
      for (const [weight, what] of from) {
        at -= weight;
        if (at < 0) return what;
      }
      return (from.at(-1) as (typeof from)[number])[1];
    },
  };
}

const ORDINARY = [
  "A logo for a bakery, in two colours.",
  "Could you start on Monday?",
  "I have done this before: three shops, two of them last year.",
  "Please send the files as SVG and PDF",
  "Größe, prix, año: text in several languages",
];

const HOSTILE = [
  "W".repeat(130),
  "Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft",
  "أحتاج إلى مترجم محترف لترجمة عقد قانوني",
  "👩‍👩‍👧‍👦".repeat(12),
  "e\u0301\u0323\u0308".repeat(30),
  '"><img src=x onerror="throw new Error(1)">',
  "{{7*7}} <%= 7*7 %>",
  "\u202Eevil\u202C \u200B",
  "   ",
  "\u0007bell",
  `https://example.com/${"a".repeat(300)}`,
  "a\nb\n\n\nc",
  "0",
  "null",
  "word ".repeat(600),
];

const ADDRESSES = ["nobody@example.com", "not an address", "a@b", "müller@exämple.com"];
const NUMBERS = ["250", "99.99", "0", "-5", "1e9", "123456789012", "0.001"];
const LINKS = [
  "https://example.com/work",
  "example.com",
  "javascript:alert(1)",
  "http://",
  "https://a.example/ä",
];

/** A text for a field, mostly a valid one. */
export function textFor({ type, field, name }: Control, { pick, roll }: Random): string {
  const isInvalid = roll() < 0.3;
  if (type === "date") {
    const days = isInvalid ? pick([-400, -1, 0, 4_000]) : 3 + Math.floor(roll() * 60);
    return new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
  }
  if (type === "number" || /budget|amount|price|days/i.test(field + name)) {
    return isInvalid ? pick(NUMBERS) : String(1 + Math.floor(roll() * 90));
  }
  if (type === "email") return pick(ADDRESSES);
  if (type === "url" || /link|photo/i.test(field + name)) return isInvalid ? pick(LINKS) : (LINKS[0] ?? "");
  if (type === "search") return pick(["logo", "website", "a", "zzz", "ü", "(", "  shop "]);
  if (type === "password") return pick(["Wrong11", "short", "nocapitals"]);
  return isInvalid ? pick(HOSTILE) : pick(ORDINARY);
}
