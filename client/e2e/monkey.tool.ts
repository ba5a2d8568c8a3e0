import type { ElementHandle, Page } from "@playwright/test";
import { anyOf, seededRandom } from "../../server/tools/lib/random.ts";
import { expect, OPERATOR, signIn, signUp, test } from "./fixtures.ts";
import { SCREENS } from "./screens.ts";
import { openAs } from "./steps.ts";

/*
 * Uses the product at random, as different people, and checks the page after each act. `npm run tool monkey`:
 * MONKEY_SEED and MONKEY_EPISODES choose what it does; an episode repeats its choices with the same seed and number.
 */
// Stored in the environment, because each worker reads this file again and must find the same titles.
process.env["MONKEY_SEED"] ??= String(Date.now() % 100_000);
const seed = Number(process.env["MONKEY_SEED"]);
const episodes = Number(process.env["MONKEY_EPISODES"] ?? 40);
const ACTS = 40;

const demo = (name: string) => signIn({ ...OPERATOR, email: `${name}@tasklane.example` });
const PEOPLE = ["visitor", "amara", "mateo", "oda", "newcomer"] as const;

test.use({
  expectedNoise: {
    patterns: [
      // Chromium logs every refused request; the page shows its own message.
      /status of (400|403|404|409|410|412|422|429) /,
      // Photos may be on other hosts, which are blocked.
      /ERR_NAME_NOT_RESOLVED/,
    ],
  },
});

for (let episode = 1; episode <= episodes; episode++) {
  const who = PEOPLE[episode % PEOPLE.length] ?? "visitor";
  test(`When ${who} does ${ACTS} random things (seed ${seed}, episode ${episode}), then every page stays usable`, async ({
    page,
  }) => {
    test.setTimeout(ACTS * 20_000);
    // Far apart, or all episodes would begin alike.
    const roll = seededRandom((seed * 1_000 + episode) * 7_919);
    if (who === "visitor") await page.goto("/");
    else await openAs(page, await (who === "newcomer" ? signUp("Nia New") : demo(who)), "/dash/dashboard");
    // Leaving a page with unsent text asks first.
    page.on("dialog", (dialog) => void dialog.accept());
    const story: string[] = [];
    try {
      for (let count = 0; count < ACTS; count++) {
        story.push(await act(page, roll));
        await expectUsable(page);
      }
    } finally {
      await test.info().attach("acts", { body: story.join("\n"), contentType: "text/plain" });
    }
  });
}

type Pick = <T>(from: readonly T[]) => T;

const SIZES = [
  { width: 1280, height: 800 },
  { width: 768, height: 1024 },
  { width: 390, height: 780 },
  { width: 320, height: 640 },
  { width: 844, height: 390 },
];
const KEYS = ["Enter", "Space", "Escape", "Tab", "Shift+Tab", "ArrowDown", "ArrowUp", "Home", "End"];
const TEXTS = [
  ...["Could you start on Monday?", "250", "7", "2099-02-03", "https://example.com/work", "0", "-5", "1e9"],
  ...[
    "W".repeat(130),
    "👩‍👩‍👧‍👦".repeat(12),
    "أحتاج إلى مترجم محترف",
    "\u202Eevil\u202C",
    "   ",
    "word ".repeat(600),
  ],
  ...['"><img src=x onerror="throw new Error(1)">', `https://example.com/${"a".repeat(300)}`],
];
const ADDRESSES = SCREENS.map(({ route }) => route.replace(/:\w+/, "ffffffffffffffffffffffff"));
/** A demo account must neither be deleted nor logged out, or the rest of its episode is another visitor's. */
const AVOIDED = /log ?out|delete my|permanently/i;

/** Does one random thing. @returns what it was. */
async function act(page: Page, roll: () => number): Promise<string> {
  const pick: Pick = (from) => anyOf(from, roll) as (typeof from)[number];
  const kind = roll();
  if (kind < 0.06) {
    // The page stays where Chromium only closes what is open, or unsent text is asked about.
    await page.goBack({ timeout: 5_000 }).catch((error: Error) => {
      if (error.name !== "TimeoutError") throw error;
    });
    // The history begins with a page that is not part of the app.
    if (!(await page.locator("#root").count())) await page.goForward();
    return "back";
  }
  if (kind < 0.09) return page.reload().then(() => "reload");
  if (kind < 0.17) {
    const address = pick(ADDRESSES);
    return page.goto(address).then(() => `open ${address}`);
  }
  if (kind < 0.22) {
    const size = pick(SIZES);
    return page.setViewportSize(size).then(() => `${size.width} × ${size.height}`);
  }
  if (kind < 0.34) {
    const key = pick(KEYS);
    return page.keyboard.press(key).then(() => `press ${key}`);
  }
  const usable = await usableControls(page).catch((error: Error) => {
    // The act before may have submitted the plain form of a page that does without scripts.
    if (!error.message.includes("context was destroyed")) throw error;
    return [];
  });
  if (usable.length === 0) return "nothing to use";
  const { element, name, type, options } = pick(usable);
  try {
    if (options.length > 0) await element.selectOption(pick(options), { timeout: 2_000 });
    else if (type !== "click") await element.fill(textFor(type, pick), { timeout: 2_000 });
    else await element.click({ timeout: 2_000 });
  } catch (error) {
    // It may have moved or been covered meanwhile; anything else is an error.
    if (!/Timeout|not attached|intercepts|read-?only/i.test(String(error))) throw error;
    return `(not possible: “${name}”)`;
  }
  return `use “${name}”`;
}

function textFor(type: string, pick: Pick): string {
  return type === "date" ? pick(["2099-02-03", "2000-01-01"]) : pick(TEXTS);
}

type Control = { element: ElementHandle<HTMLElement>; name: string; type: string; options: string[] };

const CONTROLS = "a[href], button, summary, input, select, textarea";

/** The controls that can be used now: those of the topmost dialog, or of the page. */
async function usableControls(page: Page): Promise<Control[]> {
  const layers = page.locator("dialog[open], .swal2-popup.swal2-modal:not(.swal2-hide)");
  const layer = (await layers.count()) > 0 ? layers.last() : page.locator("body");
  const found: Control[] = [];
  for (const element of await layer.locator(CONTROLS).elementHandles()) {
    const control = element as ElementHandle<HTMLElement>;
    const facts = await control.evaluate((one) => {
      const { width, height } = one.getBoundingClientRect();
      const isShown = one.checkVisibility({ visibilityProperty: true }) && width > 1 && height > 1;
      const isElsewhere =
        one instanceof HTMLAnchorElement && (one.origin !== location.origin || one.target || one.download);
      const isText =
        one.matches("input, textarea") && !one.matches("[type=checkbox], [type=radio], [type=submit]");
      const options =
        one instanceof HTMLSelectElement
          ? [...one.options].filter((option) => !option.disabled).map((option) => option.value)
          : [];
      return {
        isUsable:
          isShown &&
          !isElsewhere &&
          !one.closest("[inert]") &&
          !one.matches(":disabled, [type=file], [readonly]"),
        name: (one.getAttribute("aria-label") ?? one.textContent ?? "").trim().slice(0, 40),
        type: isText ? (one as HTMLInputElement).type : "click",
        options,
      };
    });
    if (facts.isUsable && !AVOIDED.test(facts.name)) found.push({ element: control, ...facts });
  }
  return found;
}

/** The page settles, has a title, a heading and a way to go on, nothing overflows, and every control has a name. */
async function expectUsable(page: Page): Promise<void> {
  const problems = () =>
    page.evaluate((controls) => {
      const isShown = (one: Element) => one.checkVisibility({ visibilityProperty: true });
      const all = [...document.querySelectorAll<HTMLElement>(controls)].filter(isShown);
      const { scrollWidth, clientWidth } = document.documentElement;
      const named = (one: HTMLElement) =>
        [one.getAttribute("aria-label"), one.getAttribute("aria-labelledby"), one.textContent, one.title]
          .concat((one as HTMLInputElement).labels?.[0]?.textContent ?? null)
          .concat(one.querySelector<HTMLImageElement>("img[alt]")?.alt ?? null)
          .some((text) => text?.trim());
      return [
        ...(document.title.trim() ? [] : ["no title"]),
        ...([...document.querySelectorAll("h1")].some(isShown) ? [] : ["no heading"]),
        ...(all.length > 0 ? [] : ["no way to go on"]),
        ...(scrollWidth > clientWidth ? [`overflows by ${scrollWidth - clientWidth} px`] : []),
        ...all.filter((one) => !named(one)).map((one) => `no name: ${one.outerHTML.slice(0, 160)}`),
        ...[...document.querySelectorAll(".loading, [aria-busy=true]")]
          .filter(isShown)
          .map(() => "still loading"),
      ];
    }, CONTROLS);
  await expect.poll(problems, { message: page.url() }).toEqual([]);
}
