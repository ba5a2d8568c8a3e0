import { describe, expect, it } from "vitest";
import { paths, returnPath, withReturnPath } from "./paths.ts";

const back = (from: string) => returnPath(new URLSearchParams({ from }));

describe("returnPath", () => {
  it("When the wanted page has a query, then both come back", () => {
    const url = new URL(withReturnPath(paths.login, "/browsetask?search=a%26b&sort=asc"), "http://x");
    expect(returnPath(url.searchParams)).toBe("/browsetask?search=a%26b&sort=asc");
  });

  it("When nothing was wanted, then home", () => {
    expect(returnPath(new URLSearchParams())).toBe("/");
  });

  it.each([
    "https://evil.example/",
    "//evil.example",
    "/\\evil.example",
    "javascript:alert(1)",
    "/\t/evil.example",
    "evil",
  ])("When the address would leave the app (%j), then home", (from) => {
    expect(back(from)).toBe("/");
  });

  it("When login itself was wanted, then home instead of a circle", () => {
    expect(back("/auth/login?from=/dash/addtask")).toBe("/");
  });
});
