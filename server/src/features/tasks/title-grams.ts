/**
 * Substring search through an index. A title's grams are the runs of one, two and three characters inside its words;
 * a title can only contain a search text if it has every gram of it, so the index finds the few that may, and the exact
 * comparison of the title decides.
 *
 * Kept inside words (runs of blanks count as words too): grams across words would nearly double the index, and the
 * rarest word narrows a search as well as they do.
 */

const LONGEST = 3;
const WORDS = /\s+|\S+/gu;

/** All grams of a title, each once, as they are stored in `TaskDoc.grams`. */
export function titleGrams(title: string): string[] {
  const grams = new Set<string>();
  for (const word of wordsOf(title)) {
    for (let size = 1; size <= LONGEST; size++) addGrams(grams, word, size);
  }
  return [...grams];
}

const MOST_CANDIDATES = 4;

/**
 * Grams that every title containing this text has: one for each of a few words, the likely rarest first.
 * @param search not empty.
 */
export function searchGrams(search: string): string[] {
  // Nearly every title has a blank: it counts only where there is nothing else.
  const text = search.trim() || search;
  const candidates = new Set<string>();
  for (const word of wordsOf(text)) candidates.add(rarestGram(word));
  if (text.trim() !== "") candidates.delete(" ");
  return [...candidates].sort(likelyRarerFirst).slice(0, MOST_CANDIDATES);
}

function wordsOf(text: string): string[][] {
  return (text.match(WORDS) ?? []).map((word) => Array.from(word, foldCharacter));
}

function addGrams(grams: Set<string>, word: string[], size: number): void {
  for (let start = 0; start + size <= word.length; start++)
    grams.add(word.slice(start, start + size).join(""));
}

function rarestGram(word: string[]): string {
  const grams = new Set<string>();
  addGrams(grams, word, Math.min(LONGEST, word.length));
  return [...grams].sort(likelyRarerFirst)[0] as string;
}

/**
 * One character without its case. Must bring together whatever the database's case-insensitive comparison does
 * (K and the Kelvin sign, s and ſ, σ and ς, ß and ẞ); bringing together more, like i and ı, does no harm.
 * Always one character for one, so that grams of a part are grams of the whole.
 */
function foldCharacter(character: string): string {
  const upper = character.toUpperCase();
  const lower = (isOneCharacter(upper) ? upper : character).toLowerCase();
  // İ becomes i and a combining dot: only the letter counts.
  return isOneCharacter(lower) ? lower : String.fromCodePoint(lower.codePointAt(0) as number);
}

function isOneCharacter(text: string): boolean {
  return text.length === 1 || (text.length === 2 && (text.codePointAt(0) as number) > 0xffff);
}

// English letters from frequent to rare; what is not here (digits, signs, other scripts) is taken to be rarer still.
const LETTERS = " etaoinsrhldcumfpgwybvkxjqz";

function likelyRarerFirst(a: string, b: string): number {
  return rarity(b) - rarity(a);
}

// A longer gram is rarer than any shorter one.
function rarity(gram: string): number {
  let sum = 0;
  for (const character of gram) {
    const place = LETTERS.indexOf(character);
    sum += LETTERS.length + (place === -1 ? LETTERS.length : place);
  }
  return sum;
}
