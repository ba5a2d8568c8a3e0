import { expect, test } from "vitest";
import { renderedUrl } from "./rendered-url.ts";

test.each([
  ["/about?utm_source=a", "/about"],
  ["/people?language=de&x=1&search=+logo+&shown=48", "/people?search=logo&language=de&shown=48"],
  ["/people?shown=4800", "/people?shown=96"],
  [
    "/people?minRating=4.5&category=Design&language=zz&minPrice=9",
    "/people?category=Design&minPrice=9&minRating=4.5",
  ],
  ["/people/aB%20c?shown=1200", "/people/aB%20c"],
  ["/taskdetails/a%3Fb", "/taskdetails/a%3Fb"],
  ["/browsetask", "/browsetask"],
  ["/BrowseTask/?x=1", "/browsetask"],
  ["/browsetask?x=1&sort=asc&search=a%20b&sort=desc", "/browsetask?search=a+b&sort=asc"],
  ["/browsetask?category=None&minBudget=abc&shown=", "/browsetask?minBudget=abc"],
  ["/browsetask?shown=30", "/browsetask?shown=48"],
  ["/browsetask?shown=1200&x=17", "/browsetask?shown=96"],
  ["/auth/login?from=%2Ftaskdetails%2Fa&x=1", "/auth/login?from=%2Ftaskdetails%2Fa"],
  ["/auth/register?x=1", "/auth/register"],
])("When %s is opened, then %s is rendered", (opened, rendered) => {
  expect(renderedUrl(opened)).toBe(rendered);
  expect(renderedUrl(rendered)).toBe(rendered);
});
