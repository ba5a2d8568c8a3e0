import { isBlank, isPlainLine } from "./values.ts";

/** Ways to contact somebody outside the product. */
export const CONTACT_KINDS = ["email", "phone", "messenger"] as const;
export type ContactKind = (typeof CONTACT_KINDS)[number];

const MESSENGERS = "whats ?app|telegram|viber|we ?chat|skype|discord|snapchat|imo|kik";

const EMAIL = [
  // But not a version (pkg@1.2), a picture (logo@2x.png) or a repository (git@host.example:path).
  /[\p{L}\d._%+-]@(?!\d+x\.)(?:[\p{L}\d-]{1,63}\.){1,4}\p{L}{2,24}(?![\p{L}\d-]|:\w)/u,
  // fay (at) mail.example, fay [at] mail [dot] example
  /[\p{L}\d_%+-] ?[[({<] ?(?:at|@) ?[\])}>] ?[\p{L}\d-]{2,63}/u,
  /[\p{L}\d_%+-] at (?:gmail|googlemail|outlook|hotmail|yahoo|icloud|proton(?:mail)?|gmx)(?:\.| dot )\p{L}{2,3}\b/u,
];

const MESSENGER = [
  /(?:^|[^\w.-])(?:t\.me|telegram\.me|wa\.me|chat\.whatsapp\.com|m\.me|discord\.gg|join\.skype\.com|signal\.me)\/[\w+@-]/,
  /* @__PURE__ */ new RegExp(
    `\\b(?:write|message|text|ping|contact|reach|add|find|call|chat|talk|dm|pm|hit)\\b(?: (?:to|with))? (?:me|us)(?: up)? (?:on|via|at|in|by|through|over) (?:my |our )?(?:${MESSENGERS}|signal)\\b`,
  ),
  /* @__PURE__ */ new RegExp(
    `\\bmy (?:${MESSENGERS})(?: (?:id|name|username|handle|nick|number))?(?: is|:| -)? ?@?[\\w.+-]{4}`,
  ),
  /* @__PURE__ */ new RegExp(`\\b(?:${MESSENGERS}) ?(?:id|username|handle|nick)(?: is|:| -) ?@?[\\w.+-]{3}`),
  /* @__PURE__ */ new RegExp(`\\b(?:${MESSENGERS}|tg|insta(?:gram)?) ?[:\\-]? ?@[a-z][\\w.]{2}`),
  /* @__PURE__ */ new RegExp(
    `(?:^|[\\s(])@[a-z][\\w.]{2,31} (?:on|in|at) (?:${MESSENGERS}|tg|insta(?:gram)?)\\b`,
  ),
  /\bskype: ?(?:live:)?[a-z][\w.]{3}/,
  /\bdiscord:? ?[a-z][\w.]{1,31}#\d{4}\b/,
];

// Full of digits, but not phone numbers.
const URL = /\b(?:https?:\/\/|www\.)\S+/gu;
const DATE_OR_TIME = /\b\d{1,4}([-./])\d{1,2}\1\d{1,4}(?:t|\b)|\b\d{1,2}:\d{2}(?::\d{2})?\b/gu;

/** Digits in groups, as people write phone numbers. */
const GROUPS = "\\(?\\d{1,5}\\)?(?:[ ./-]{0,2}\\(?\\d{1,5}\\)?){1,6}";
const INTERNATIONAL = /* @__PURE__ */ new RegExp(`(?<![\\w+*/.-]|\\d )\\+ ?(${GROUPS})`, "gu");
const SPOKEN_OF = /* @__PURE__ */ new RegExp(
  `\\b(?:tel|phone|telephone|mobile|cell(?:phone)?|sms|(?:call|text|ring) (?:me|us)|whats ?app|viber)\\b(?: (?:no|number|on|at|under|is|me))*[.:]{0,2} ?(\\+?${GROUPS})`,
  "gu",
);
const NATIONAL = [
  // (555) 010-4477, 555-010-4477, 555.010.4477
  /(?<![\w#$€£+(.,/-]|\d )(?:\(\d{3}\) ?|\d{3}[-.])\d{3}[-.]\d{4}(?![\w-]|[.,]\d)/u,
  // 0170 1234567, 030/123 45 67, 01 23 45 67 89
  /(?<![\w#$€£+(.,/-]|\d )0[1-9]\d{0,3}(?:[ /-]\d{2,8}){1,4}(?![\w-]|[.,/]\d)/gu,
  // 01712345678
  /(?<![\w#$€£+(.,/-]|\d |(?:no|nr|id|order|invoice|item|ref)[.:]? ?)0[1-9]\d{9}(?![\w-]|[.,/]\d)/u,
];

/**
 * The kinds of contact data in these texts. It prefers missing one to mistaking a price, a date or an order number for
 * a phone number: operators look at what it finds, and nothing is refused because of it.
 */
export function contactKindsIn(...texts: readonly (string | undefined)[]): ContactKind[] {
  const found = new Set<ContactKind>();
  for (const text of texts) {
    if (!text) continue;
    const plain = text
      .normalize("NFKC")
      .replace(/\p{Default_Ignorable_Code_Point}/gu, "")
      .replace(/\s+/gu, " ")
      .toLowerCase();
    if (EMAIL.some((pattern) => pattern.test(plain))) found.add("email");
    if (MESSENGER.some((pattern) => pattern.test(plain))) found.add("messenger");
    if (hasPhone(plain.replace(URL, " ").replace(DATE_OR_TIME, " # "))) found.add("phone");
  }
  return CONTACT_KINDS.filter((kind) => found.has(kind));
}

/** Does a name contain an email address or a lookalike? Stricter than {@link contactKindsIn}: names are public. */
export function containsEmailAddress(name: string): boolean {
  return /\S@\S/.test(name);
}

/** Shown for people without a usable name. */
export const UNNAMED = "Unnamed member";
const NAME_LENGTH = 100;

/** The name that others see. Some people's display name is their email address, which must stay private. */
export function publicName(displayName: string | null | undefined): string {
  const given = displayName?.trim() ?? "";
  const name = given.length > NAME_LENGTH ? "" : given.normalize("NFC");
  const isUsable =
    !isBlank(name) && name.length <= NAME_LENGTH && isPlainLine(name) && !containsEmailAddress(name);
  return isUsable ? name : UNNAMED;
}

function hasPhone(text: string): boolean {
  const [us, european, mobile] = NATIONAL as [RegExp, RegExp, RegExp];
  if (us.test(text) || mobile.test(text)) return true;
  return (
    [...text.matchAll(INTERNATIONAL)].some(([, digits]) => isNumber(digits, 8)) ||
    [...text.matchAll(SPOKEN_OF)].some(([, digits]) => isNumber(digits, 6)) ||
    [...text.matchAll(european)].some(([digits]) => isNumber(digits, 9, 12))
  );
}

/** Does it have as many digits as a phone number (ITU-T E.164), and is it not a round sum? */
function isNumber(text = "", min: number, max = 15): boolean {
  const digits = text.replace(/\D/g, "");
  return digits.length >= min && digits.length <= max && !digits.includes("00000");
}
