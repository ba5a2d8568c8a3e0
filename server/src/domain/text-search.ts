import type { Document, Filter } from "mongodb";

/**
 * Substring search with an index. A text's grams are all runs of one to three characters inside its words and, for
 * each pair of neighboring words, the end of the first with the beginning of the second. A title can contain a search
 * text only if it has every gram of it, so the index finds a few candidates, and comparing their titles decides.
 *
 * Why pairs: each word of a phrase like "logo bakery" may be in every tenth title and both together in none; with the
 * grams of words alone, all those titles would have to be compared. Each pair has two grams, whatever the white space
 * in between: a close one (`o b`), which every text across the blank has, and a wide one (`ogo bak`), nearly as rare as
 * the two words together. Runs of all lengths across blanks would double the index for little gain.
 *
 * Skills are searched like titles, each by itself, and so are people's names and headlines.
 *
 * Descriptions are searched by whole words: they must have every word of the search text, in any order. A title has some
 * seventy grams, a usual description of 280 characters would have 350 more and one of 5,000 some 2,500, and each would be
 * in both search indexes and be written with every post and edit; it has some forty and five hundred words. The price
 * is that a part of a word is found in titles only, and so is text without blanks between its words, such as Japanese.
 */

const LONGEST = 3;
const WORDS = /\s+|\S+/gu;
const BLANK = /\s/u;

/** A task's texts that are searched. */
type Searched = { title: string; description: string; skills?: string[] | undefined };

/** The grams of a task's title and skills, and the words of its description, as stored in `TaskDoc.searchKeys`. */
export function searchKeysOf({ title, description, skills = [] }: Searched): string[] {
  return [...gramsOf([title, ...skills]), ...wordsOf(description)];
}

// Signs that are part of names such as C++ and C#.
const DESCRIPTION_WORDS = /[\p{L}\p{M}\p{N}+#]+/gu;
const LONGEST_WORD = 32;

/** The distinct words of a text, each with a prefix because it could equal a gram; of a longer word the beginning. */
function wordsOf(text: string): string[] {
  const words = text.match(DESCRIPTION_WORDS) ?? [];
  return [...new Set(words.map((word) => `word:${folded(word).slice(0, LONGEST_WORD).join("")}`))];
}

/** All distinct grams of these texts. */
export function gramsOf(texts: readonly string[]): string[] {
  const grams = new Set<string>();
  for (const parts of texts.map(partsOf)) {
    for (const part of parts) {
      for (let size = 1; size <= LONGEST; size++) addGrams(grams, part, size);
    }
    for (const [left, right] of neighbors(parts)) {
      grams.add(closePair(left, right));
      grams.add(widePair(left, right));
    }
  }
  return [...grams];
}

/** Matches tasks with each of these words in their description. An expression, because it must not choose the index. */
export function describedBy(words: readonly string[]): Filter<Document> {
  return { $expr: { $setIsSubset: [words, "$searchKeys"] } };
}

/** The words that a description must have to match this text, the probably rarest first; empty if it has none. */
export function searchWords(search: string): string[] {
  return likelyRarest(wordsOf(search), Number.POSITIVE_INFINITY);
}

/** Matches documents in which one of these fields, or one of its elements, contains the text in either case. */
export function containing(search: string, fields: readonly string[]): { $or: Filter<Document>[] } {
  const pattern = { $regex: literally(search), $options: "i" };
  return { $or: fields.map((field) => ({ [field]: pattern })) };
}

/**
 * A regular expression that matches texts containing this one; with option `i` in either case. For the database, and for
 * JavaScript with or without option `u`, which allows no other character to be escaped.
 */
export function literally(search: string): string {
  return search.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&");
}

const MAX_PAIRS = 2;
export const MAX_WORDS = 2;

/**
 * Some of the grams that every title containing this text has: those of a few pairs of words and of a few words,
 * probably rarest first within each kind. Both kinds, because a frequent pair has a longer gram than a rare word.
 * @param search not empty.
 */
export function searchGrams(search: string): string[] {
  const parts = partsOf(search);
  const words = parts.filter((part) => !isBlank(part));
  // Nearly every title has a blank, so blanks are used only if there is nothing else.
  if (words.length === 0) return parts.map(rarestGram);
  const pairs = neighbors(parts).map(([left, right]) => {
    // The text may begin or end in the middle of a word, whose other characters in the title are then unknown.
    const known = (word: string[], whole: boolean) => whole || word.length >= LONGEST;
    return known(left, left !== parts[0]) && known(right, right !== parts.at(-1))
      ? widePair(left, right)
      : closePair(left, right);
  });
  return [...likelyRarest(pairs, MAX_PAIRS), ...likelyRarest(words.map(rarestGram), MAX_WORDS)];
}

/** Words and the blanks between them, each as a list of characters. */
function partsOf(text: string): string[][] {
  return (text.match(WORDS) ?? []).map(folded);
}

const folded = (text: string) => Array.from(text, foldCharacter);

const isBlank = (part: string[]) => BLANK.test(part[0] as string);

/** Each word with the next one. */
function neighbors(parts: string[][]): [string[], string[]][] {
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
 * Folds the case of a character. Must fold together whatever the database's case-insensitive comparison does (K and the
 * Kelvin sign, s and ſ, σ and ς, ß and ẞ); folding more, like i and ı, does no harm. Always one character for one, so
 * that the grams of a part are grams of the whole.
 */
function foldCharacter(character: string): string {
  const upper = character.toUpperCase();
  const lower = (isOneCharacter(upper) ? upper : character).toLowerCase();
  // İ becomes i and a combining dot: only the letter is kept.
  return isOneCharacter(lower) ? lower : String.fromCodePoint(lower.codePointAt(0) as number);
}

function isOneCharacter(text: string): boolean {
  return [...text].length === 1;
}

// English letters from frequent to rare; other characters (digits, signs, other scripts) count as rarer still.
const LETTERS = " etaoinsrhldcumfpgwybvkxjqz";

function likelyRarest(grams: string[], max: number): string[] {
  return [...new Set(grams)].sort((a, b) => rarity(b) - rarity(a)).slice(0, max);
}

// A longer gram always counts as rarer than a shorter one.
function rarity(gram: string): number {
  let sum = 0;
  for (const character of gram) {
    const place = LETTERS.indexOf(character);
    sum += LETTERS.length + (place === -1 ? LETTERS.length : place);
  }
  return sum;
}
