import { test } from "@playwright/test";
import { ENGINES, type Engine, type Tab } from "./browsers/engines.ts";
import { button, field, heading, Page, role, text } from "./browsers/page.ts";
import { type Account, newAccount, ORIGIN, placeBid, postTask, signUp } from "./fixtures.ts";

/*
 * What Chromium cannot show: that sessions survive, events arrive and overlays open in their place in Firefox and WebKit,
 * which Playwright drives only in builds of its own. `npm run tool browsers`, or `npm run tool browsers -- -g firefox`.
 */

/** A phone, also in landscape, a tablet and a laptop. WebKitGTK's window is never narrower than 447, also a phone's layout. */
const WIDTHS = [390, 667, 768, 1280] as const;
const BIDS = role("dialog", "All Bids for This Task");

test.describe.configure({ timeout: 240_000 });

for (const [name, start] of Object.entries(ENGINES)) {
  test.describe(name, () => {
    // One after another, because they share the engine.
    test.describe.configure({ mode: "default" });
    let engine: Engine;
    let tab: Tab;
    let page: Page;
    test.beforeAll(async () => {
      engine = await start();
    });
    test.beforeEach(async () => {
      tab = await engine.newTab();
      await tab.resize(1_280, 900);
      page = new Page(tab, ORIGIN);
    });
    test.afterEach(() => tab.close());
    test.afterAll(() => engine?.close());

    test("When somebody registers, then they stay logged in, and can log in again", async () => {
      const account = newAccount("Nia New");
      await page.open("/auth/register");
      await page.fill(field("Name"), account.name);
      await page.fill(field("Email"), account.email);
      await page.fill(field("Password"), account.password);
      await page.click(button("Sign Up"));
      await page.sees(text("Register Successfully!"));
      await page.open("/dash/dashboard");
      await page.sees(heading("Welcome, Nia New"));
      await page.click(button("LogOut"));
      await page.sees(text("LogOut Successfully"));
      await logIn(page, account, "/dash/dashboard");
      await page.sees(heading("Welcome, Nia New"));
    });

    test("When a bid is placed, then its client sees it arrive, and can award it", async () => {
      const { client, id, bid } = await newTask();
      await logIn(page, client, `/dash/myposttask?bids=${id}`);
      await page.sees(BIDS);
      await bid();
      await page.click(button("Shortlist Fay Lance"));
      await page.click(button("Award to Fay Lance"));
      await page.click(button("Award for $450"));
      await page.sees(text(/Awarded/));
    });

    test("When an overlay opens, then it stands beside its button or in its place, at every width", async () => {
      const { client, bid } = await newTask();
      await bid();
      await logIn(page, client, "/dash/myposttask");
      // Not on the login page, whose overlays close when the next page opens.
      await page.sees(heading("My Posted Tasks"));
      const award = role("dialog", /^Award/);
      for (const width of WIDTHS) {
        await page.resize(width, 900);
        for (const popover of [button(/^Notifications/), button(/account menu/), button(/^More for/)]) {
          await page.click(popover);
          await page.opensBeside(popover);
          await page.pressEscape();
        }
        await page.click(button(/^Bids/));
        await page.opensAt("middle", BIDS);
        await page.click(button("Award to Fay Lance"));
        await page.opensAt("middle", award);
        await page.pressEscape();
        await page.seesNot(award);
        await page.pressEscape();
        await page.seesNot(BIDS);
      }
      await page.click(button(/^Bids/));
      await page.click(button("Shortlist Fay Lance"));
      await page.click(button("Message Fay Lance"));
      await page.opensAt("corner", role("dialog", "Messages with Fay Lance"));
      await page.open("/browsetask");
      for (const width of WIDTHS.slice(0, 3)) {
        await page.resize(width, 900);
        await page.click(button("Menu"));
        await page.opensBeside(button("Menu"));
        await page.pressEscape();
      }
      await page.resize(WIDTHS[0], 900);
      await page.click(button("Filters"));
      await page.opensAt("bottom", role("dialog", "Filters"));
    });
  });
}

async function logIn(page: Page, { email, password }: Account, path: string): Promise<void> {
  await page.open(path);
  await page.sees(heading("Login now!"));
  await page.fill(field("Email"), email);
  await page.fill(field("Password"), password);
  await page.click(button("Login"));
  await page.isAt(path);
}

/** A task of a new client, and a function that bids on it as a new freelancer. */
async function newTask() {
  const [client, freelancer] = [await signUp("Clara Client"), await signUp("Fay Lance")];
  const id = await postTask(client);
  return { client, id, bid: () => placeBid(freelancer, id, { amount: 450 }) };
}
