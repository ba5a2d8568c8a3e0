/**
 * Substring search through an index. A title's grams are the runs of one, two and three characters inside its words, and
 * for each pair of neighbouring words how the first ends and the second begins. A title can only contain a search text
 * if it has every gram of it, so the index finds the few that may, and the exact comparison of the title decides.
 *
 * Why pairs: of a phrase like "logo bakery" each word may be in every tenth title and both together in none; by the
 * grams of words alone all those titles would have to be looked at. Two for each pair, however wide the blank between:
 * a close one (`o b`), which any text across the blank has, and a wide one (`ogo bak`), nearly as rare as the two words
 * themselves. The runs of all lengths across blanks would make the index twice as large and find little more.
 *
 * Why titles only: a title has some seventy grams, a usual description of 280 characters 350 more and one of 5,000 some
 * 2,500, and each would stand in both search indexes and be written with every post and edit.
 */

const LONGEST = 3;
const WORDS = /\s+|\S+/gu;
const BLANK = /\s/u;

/** All grams of a title, each once, as they are stored in `TaskDoc.titleGrams`. */
export function titleGrams(title: string): string[] {
  const grams = new Set<string>();
  const parts = partsOf(title);
  for (const part of parts) {
    for (let size = 1; size <= LONGEST; size++) addGrams(grams, part, size);
  }
  for (const [left, right] of neighbours(parts)) {
    grams.add(closePair(left, right));
    grams.add(widePair(left, right));
  }
  return [...grams];
}

/** Browse's rule for titles as a pattern of the database's, to be matched with the option `i`: does a title contain this text? */
export function titlePattern(search: string): string {
  return search.replace(/[\\^$.*+?()[\]{}|/#-]/g, "\\$&");
}

const MOST_PAIRS = 2;
const MOST_WORDS = 2;

/**
 * Grams that every title containing this text has: of a few pairs of words and of a few words, the likely rarest of
 * either first. Both kinds, because a frequent pair has a longer gram than a rare word.
 * @param search not empty.
 */
export function searchGrams(search: string): string[] {
  const parts = partsOf(search);
  const words = parts.filter((part) => !isBlank(part));
  // Nearly every title has a blank: it counts only where there is nothing else.
  if (words.length === 0) return parts.map(rarestGram);
  const pairs = neighbours(parts).map(([left, right]) => {
    // The text may begin and end in the middle of a word: what stands there in the title is then not known.
    const known = (word: string[], whole: boolean) => whole || word.length >= LONGEST;
    return known(left, left !== parts[0]) && known(right, right !== parts.at(-1))
      ? widePair(left, right)
      : closePair(left, right);
  });
  return [...likelyRarest(pairs, MOST_PAIRS), ...likelyRarest(words.map(rarestGram), MOST_WORDS)];
}

/** Words and the blanks between them, character by character. */
function partsOf(text: string): string[][] {
  return (text.match(WORDS) ?? []).map((part) => Array.from(part, foldCharacter));
}

const isBlank = (part: string[]) => BLANK.test(part[0] as string);

/** Each word with the next one. */
function neighbours(parts: string[][]): [string[], string[]][] {
  return parts.flatMap((part, at): [string[], string[]][] => {
    const left = parts[at - 1];
    const right = parts[at + 1];
    return left && right && isBlank(part) ? [[left, right]] : [];
  });
}

const closePair = (left: string[], right: string[]) => `${left.at(-1)} ${right[0]}`;

const widePair = (left: string[], right: string[]) =>
  `${left.slice(-LONGEST).join("")} ${right.slice(0, LONGEST).join("")}`;

function addGrams(grams: Set<string>, word: string[], size: number): void {
  for (let start = 0; start + size <= word.length; start++)
    grams.add(word.slice(start, start + size).join(""));
}

function rarestGram(word: string[]): string {
  const grams = new Set<string>();
  addGrams(grams, word, Math.min(LONGEST, word.length));
  return likelyRarest([...grams], 1)[0] as string;
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
  return [...text].length === 1;
}

// English letters from frequent to rare; what is not here (digits, signs, other scripts) is taken to be rarer still.
const LETTERS = " etaoinsrhldcumfpgwybvkxjqz";

function likelyRarest(grams: string[], most: number): string[] {
  return [...new Set(grams)].sort((a, b) => rarity(b) - rarity(a)).slice(0, most);
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
