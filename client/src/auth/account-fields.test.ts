import { expect, it } from "vitest";
import { emailSchema, newPasswordSchema, photoSchema } from "./account-fields.ts";

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
  [`https://example.com/${"x".repeat(2_000)}`, false],
])("When the photo's address is %j, then accepted is %s", (address, accepted) => {
  expect(photoSchema.safeParse(address).success).toBe(accepted);
});
