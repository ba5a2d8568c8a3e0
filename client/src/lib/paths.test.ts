import { expect, it } from "vitest";
import { paths, returnPath, withReturnPath } from "./paths.ts";

const back = (from: string) => returnPath(new URLSearchParams({ from }));

it.each(["/browsetask?search=a%26b&sort=asc", "/dash/taskdetails/t1?a=b#review", "/authors"])(
  "When %s was requested, then logging in leads back to it",
  (page) => {
    expect(returnPath(new URL(withReturnPath(paths.login, page), "http://x").searchParams)).toBe(page);
  },
);

it("When no page or home was requested, then it is home", () => {
  expect(returnPath(new URLSearchParams())).toBe("/");
  expect(withReturnPath(paths.login, "/")).toBe("/auth/login");
});

it.each([
  "https://evil.example/",
  "//evil.example",
  "/\\evil.example",
  "javascript:alert(1)",
  "/\t/evil.example/path",
  "/.//evil.example",
  "/x/..//evil.example/path",
  "/.\\\\evil.example",
  "evil",
  "//",
  "/\t/[",
  // To avoid a loop.
  "/auth/login?from=/dash/addtask",
])("When the URL would leave the app or lead to login again (%j), then it is home", (from) => {
  expect(back(from)).toBe("/");
});

it("When a person's id is not plain, then it is encoded", () => {
  expect(paths.person("a/b?c")).toBe("/people/a%2Fb%3Fc");
});
