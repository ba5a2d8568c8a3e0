import { expect, it } from "vitest";
import type * as z from "zod/mini";
import { emailSchema, nameSchema, newPasswordSchema, passwordSchema, photoSchema } from "./account-fields.ts";
import { WEAK_PASSWORD } from "./failure-text.ts";

const fields = { nameSchema, emailSchema, passwordSchema, newPasswordSchema, photoSchema };
const LONGEST_URL = `https://example.com/${"x".repeat(1_980)}`;

it.each<[keyof typeof fields, string, string]>([
  ["nameSchema", ` ${"x".repeat(80)} `, "x".repeat(80)],
  ["emailSchema", " ann@example.com ", "ann@example.com"],
  ["emailSchema", "ann@localhost", "ann@localhost"],
  ["passwordSchema", " a ", " a "],
  ["newPasswordSchema", "Abcdef", "Abcdef"],
  ["newPasswordSchema", "Ábcdé1", "Ábcdé1"],
  ["photoSchema", ` ${LONGEST_URL} `, LONGEST_URL],
])("When %s reads %j, then it is valid, and trimmed unless it is a password", (field, value, parsed) => {
  expect(fields[field].parse(value)).toBe(parsed);
});

const NO_PHOTO = "Enter the full https address of a picture, like https://example.com/me.jpg.";
it.each<[keyof typeof fields, unknown, string]>([
  ["nameSchema", " ", "Name is required."],
  ["nameSchema", "x".repeat(81), "Name can have at most 80 characters."],
  ["nameSchema", "Ann <ann@example.com>", "Everybody can read your name: leave out email addresses."],
  ["emailSchema", undefined, "Enter your email address."],
  ["emailSchema", "ann@", "Enter an email address, like ann@example.com."],
  ["passwordSchema", undefined, "Enter your password."],
  ["passwordSchema", "", "Enter your password."],
  ["newPasswordSchema", undefined, WEAK_PASSWORD],
  ["newPasswordSchema", "Abcde", WEAK_PASSWORD],
  ["newPasswordSchema", "abcdef", WEAK_PASSWORD],
  ["newPasswordSchema", "ABCDEF", WEAK_PASSWORD],
  ["photoSchema", undefined, NO_PHOTO],
  ["photoSchema", "http://example.com/me.jpg", NO_PHOTO],
  ["photoSchema", "xhttps://example.com/me.jpg", NO_PHOTO],
  [
    "photoSchema",
    `${LONGEST_URL}x`,
    "This address is too long: a picture's address can have at most 2,000 characters.",
  ],
])("When %s reads %j, then the message says what to do", (field, value, message) => {
  const { error } = (fields[field] as z.ZodMiniType).safeParse(value);
  expect(error?.issues.map((issue) => issue.message)).toEqual([message]);
});
