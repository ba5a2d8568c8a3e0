import { expect, it } from "vitest";
import { linkParts } from "./links.ts";

const linksIn = (text: string) => linkParts(text).flatMap(({ text, href }) => (href ? [[text, href]] : []));

it.each([
  ["See https://a.example/x?y=1#z.", "https://a.example/x?y=1#z"],
  ["(https://a.example/wiki/Logo_(design))", "https://a.example/wiki/Logo_(design)"],
  ["“https://a.example/”, he wrote", "https://a.example/"],
  ["HTTPS://A.EXAMPLE/Path!", "https://a.example/Path"],
  ["https://a.example:8443/x, or not", "https://a.example:8443/x"],
  ["Really https://a.example/x?!…", "https://a.example/x"],
  ["({[https://a.example/x]})", "https://a.example/x"],
])("When a sentence contains a URL, then only the URL is the link: %s", (text, href) => {
  expect(linksIn(text).map(([, target]) => target)).toEqual([href]);
  expect(
    linkParts(text)
      .map((part) => part.text)
      .join(""),
  ).toBe(text);
});

it.each([
  "javascript:alert(1)",
  "evil.example/without-scheme",
  "https://localhost/admin",
  "https://bank.example@evil.example/",
  "https://:pw@evil.example/",
  "https://[",
  "xhttps://a.example/",
])("When a text only looks like a URL, or disguises its target, then it stays text: %s", (text) => {
  expect(linksIn(text)).toEqual([]);
  expect(linkParts(text).map((part) => part.text)).toEqual([text]);
});

it("When a text is nothing but a URL, then it is one link", () => {
  const url = "https://a.example/x";
  expect(linkParts(url)).toEqual([{ text: url, href: url }]);
  expect(linkParts(`${url} ${url}`)).toHaveLength(3);
  expect(linkParts("")).toEqual([]);
});

it("When a host imitates another with lookalike letters, then it is shown in Punycode", () => {
  const { hostname } = new URL("https://аpple.example");
  const [[text, href] = []] = linksIn(`https://аpple.example/?to=${hostname}`);
  expect(hostname).toMatch(/^xn--/);
  expect(text).toBe(`https://${hostname}/?to=${hostname}`);
  expect(href).toBe(text);
});

it("When a long hostile text is split, then nothing is lost and it is fast", () => {
  const text = `${"https://a.example/".repeat(200)}${"(".repeat(2_000)}${")".repeat(300)} ${"http://".repeat(200)}`;
  // Of this process alone: a busy machine takes longer.
  const before = process.cpuUsage();
  expect(
    linkParts(text)
      .map((part) => part.text)
      .join(""),
  ).toBe(text);
  expect(process.cpuUsage(before).user / 1_000).toBeLessThan(1_000);
});
