import { expect, it } from "vitest";
import type * as z from "zod/mini";
import { emailSchema, nameSchema, newPasswordSchema, passwordSchema, photoSchema } from "./account-fields.ts";
import { WEAK_PASSWORD } from "./failure-text.ts";

it.each([
  ["Abcdef", true],
  ["Ábcdé1", true],
  ["Abcde", false],
  ["abcdef", false],
  ["ABCDEF", false],
])("When the new password is %s, then accepted is %s", (password, accepted) => {
  expect(newPasswordSchema.safeParse(password).success).toBe(accepted);
});

it.each([
  [" ann@example.com ", true],
  ["ann@localhost", true],
  ["ann", false],
  ["ann@", false],
])("When the email address is %j, then accepted is %s", (email, accepted) => {
  expect(emailSchema.safeParse(email).success).toBe(accepted);
});

it.each([
  [" https://example.com/me.jpg ", true],
  ["http://example.com/me.jpg", false],
  ["example.com/me.jpg", false],
  ["xhttps://example.com/me.jpg", false],
  ["httpsx://example.com/me.jpg", false],
  [`https://example.com/${"x".repeat(2_000)}`, false],
])("When the photo URL is %j, then accepted is %s", (url, accepted) => {
  expect(photoSchema.safeParse(url).success).toBe(accepted);
});

const NO_PHOTO = "Enter the full https address of a picture, like https://example.com/me.jpg.";
it.each<[string, z.ZodMiniType, unknown, string]>([
  ["name", nameSchema, " ", "Name is required."],
  ["name", nameSchema, "x".repeat(81), "Name can have at most 80 characters."],
  ["name", nameSchema, "Ann <ann@example.com>", "Everybody can read your name: leave out email addresses."],
  ["email address", emailSchema, undefined, "Enter your email address."],
  ["email address", emailSchema, "ann@", "Enter an email address, like ann@example.com."],
  ["password", passwordSchema, undefined, "Enter your password."],
  ["password", passwordSchema, "", "Enter your password."],
  ["new password", newPasswordSchema, undefined, WEAK_PASSWORD],
  ["new password", newPasswordSchema, "abc", WEAK_PASSWORD],
  ["photo", photoSchema, undefined, NO_PHOTO],
  ["photo", photoSchema, "me.jpg", NO_PHOTO],
  [
    "photo",
    photoSchema,
    `https://example.com/${"x".repeat(1_981)}`,
    "This address is too long: a picture's address can have at most 2,000 characters.",
  ],
])("When the %s is invalid, then the message says what to do", (_, schema, value, message) => {
  expect(schema.safeParse(value).error?.issues.map((issue) => issue.message)).toEqual([message]);
});

it("When a field is valid, then surrounding whitespace is trimmed, except in a password", () => {
  expect(nameSchema.parse(` ${"x".repeat(80)} `)).toHaveLength(80);
  expect(emailSchema.parse(" ann@example.com ")).toBe("ann@example.com");
  expect(photoSchema.parse(` https://example.com/${"x".repeat(1_980)} `)).toHaveLength(2_000);
  expect(passwordSchema.parse(" a ")).toBe(" a ");
});
