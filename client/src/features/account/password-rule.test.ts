import { expect, it } from "vitest";
import { isStrongEnough } from "./password-rule.ts";

it.each([
  ["Abcdef", true],
  ["Ábcdé1", true],
  ["Abcde", false],
  ["abcdef", false],
  ["ABCDEF", false],
])("When the password is %s, then strong enough is %s (SPEC section 5)", (password, strong) => {
  expect(isStrongEnough(password)).toBe(strong);
});
