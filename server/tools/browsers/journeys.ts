import { aTaskDraft } from "../../test/builders.ts";
import { PASSWORD, type Person, signUp } from "../../test/people.ts";
import { button, field, heading, link, type Page, role, text } from "./page.ts";

/** Calls the product's API as another person, or anonymously. */
export type Api = <T>(person: Person | undefined, method: string, path: string, body?: unknown) => Promise<T>;

/** A phone, also in landscape, a tablet and a laptop. WebKitGTK's window is never narrower than 447, also a phone's layout. */
const WIDTHS = [390, 667, 768, 1280] as const;

type Journey = (page: Page, api: Api) => Promise<void>;

/** The main journeys by name. */
export const JOURNEYS: Record<string, Journey> = {
  "visitor browses and searches": async (page, api) => {
    await page.open("/");
    await page.sees(heading("Explore Trending Offers and Find Dream Job"));
    await page.sees(text("View Job"), 6);
    await page.fits();
    await page.click(link("Explore More Projects"));
    await page.isAt("/browsetask");
    await page.fill(role("searchbox"), "clinic");
    await page.isAt("/browsetask?search=clinic");
    await page.choose(field("Category"), "Design");
    await page.isAt("/browsetask?search=clinic&category=Design");
    const query = "/tasks?search=clinic&category=Design";
    const found = await api<{ title: string }[]>(undefined, "GET", query);
    await page.sees(role("article"), found.length);
    await page.fits();
    await page.resize(480, 900);
    await page.fits();
    await page.reload();
    await page.hasValue(role("searchbox"), "clinic");
    await page.sees(role("article"), found.length);
    await page.click(button("Switch to dark theme"));
    await page.reload();
    await page.sees(button("Switch to light theme"));
    await page.click(link(new RegExp(found[0]?.title ?? "")));
    await page.sees(heading("Login now!"));
    await page.fits();
    await page.back();
    await page.isAt("/browsetask?search=clinic&category=Design");
    await page.sees(role("article"), found.length);
  },

  "visitor registers, logs out and logs in": async (page) => {
    const email = `nia.${Date.now()}@people.example`;
    await page.open("/auth/register");
    await page.fill(field("Name"), "Nia New");
    await page.fill(field("Email"), email);
    await page.fill(field("Password"), "Secret1");
    await page.click(button("Show password"));
    await page.click(button("Sign Up"));
    await page.sees(text("Register Successfully!"));
    await page.isAt("/");
    await logOut(page);
    await page.open("/dash/dashboard");
    await logIn(page, email, "Wrong11");
    await page.sees(text("Incorrect Email and Password!"));
    await logIn(page, email, "Secret1");
    await page.isAt("/dash/dashboard");
    await page.sees(heading("Welcome, Nia New"));
    await page.fits();
    await page.reload();
    await page.sees(heading("Welcome, Nia New"));
  },

  "freelancer bids, changes the bid and withdraws it": async (page, api) => {
    const client = await signUp();
    const fay = await signUp({ name: "Fay Lance" });
    const id = await post(api, client);
    await page.open(`/taskdetails/${id}`);
    await logIn(page, fay.email, PASSWORD);
    await page.isAt(`/taskdetails/${id}`);
    await page.sees(text("Your Bid for: 0 opportunities"));
    await page.click(button("Bid Now"));
    await page.sees(text("Your Bid for: 1 opportunities"));
    await page.fill(field("Message to the client"), "Foxes are what I draw best.");
    await page.reload();
    await page.hasValue(field("Message to the client"), "Foxes are what I draw best.");
    await page.fill(field("Amount (USD)"), "455.50");
    await page.click(button("Save bid"));
    await page.sees({ ...text(/\$455\.50/), within: role("region", "Your bid") });
    await page.fits();
    await page.open("/dash/mybids");
    await page.sees(text(/Placed/));
    await page.fits();
    await page.open(`/taskdetails/${id}`);
    await page.click(button(/^Withdraw/));
    await page.click(button("Yes, withdraw it"));
    await page.sees(text("Your Bid for: 0 opportunities"));
    await page.sees(button("Bid Now"));
  },

  "client posts, updates and deletes a task": async (page) => {
    const clara = await signUp({ name: "Clara Client" });
    await page.open("/addtask");
    await logIn(page, clara.email, PASSWORD);
    await page.isAt("/dash/addtask");
    await page.fill(field("Title"), "Translate a menu");
    await page.choose(field("Category"), "Writing");
    await page.fill(field("Description"), "Two pages, and food words need care.");
    await page.choose(field("Deadline"), "2099-12-24");
    // The draft survives a reload.
    await page.reload();
    await page.hasValue(field("Deadline"), "2099-12-24");
    await page.fill(field("Budget (USD)"), "75.50");
    await page.fits();
    await page.click(button("Add Task"));
    await page.sees(text("Your Add Task Successfully"));
    await page.hasValue(field("Title"), "");
    await page.open("/dash/myposttask");
    await page.sees(text(/Dec 24, 2099/));
    await page.sees(text(/\$75\.50/));
    await page.fits();
    await page.click(link(/^Update/));
    await page.hasValue(field("Deadline"), "2099-12-24");
    await page.fill(field("Title"), "Translate two menus");
    await page.click(button("Update Task"));
    await page.sees(text("Update Task Successfully"));
    await page.isAt("/dash/myposttask");
    await page.sees(text("Translate two menus"));
    await page.click(button(/^More for/));
    await page.click(role("menuitem", "Delete"));
    await page.sees(text("You won't be able to revert this!"));
    await page.pressEscape();
    await page.seesNot(text("You won't be able to revert this!"));
    await page.click(button(/^More for/));
    await page.click(role("menuitem", "Delete"));
    await page.click(button("Yes, delete it!"));
    await page.sees(heading("No Tasks Available"));
  },

  "client watches bids arrive": async (page, api) => {
    const clara = await signUp({ name: "Clara Client" });
    const id = await post(api, clara);
    await page.open("/dash/myposttask");
    await logIn(page, clara.email, PASSWORD);
    await page.click(button(/^Bids/));
    const bids = role("dialog", "All Bids for This Task");
    await page.sees(bids);
    await page.fits();
    // The bid arrives over the event stream.
    const offer = { amount: 450, days: 9, message: "I have drawn harbours for ten years." };
    await api(await signUp({ name: "Fay Lance" }), "PATCH", `/tasks/${id}/bid`, offer);
    await page.sees({ ...text(/\$450/), within: bids });
    await page.sees({ ...text("I have drawn harbours for ten years."), within: bids });
    await page.click(button("Shortlist Fay Lance"));
    await page.sees({ ...text(/Shortlisted/), within: bids });
    await page.pressEscape();
    await page.seesNot(bids);
    await page.hasFocus(button(/^Bids/));
    await page.sees(button(/^Notifications.*1/));
    await page.click(button(/^Notifications/));
    await page.sees(text(/Fay Lance.*\$450/));
  },

  "client awards, and the freelancer is notified": async (page, api) => {
    const clara = await signUp({ name: "Clara Client" });
    const fay = await signUp({ name: "Fay Lance" });
    const id = await post(api, clara);
    await api(fay, "PATCH", `/tasks/${id}/bid`, { amount: 450 });
    await page.open(`/dash/myposttask?bids=${id}`);
    await logIn(page, clara.email, PASSWORD);
    await page.click(button("Award to Fay Lance"));
    await page.click(button("Award for $450"));
    await page.sees(text(/Awarded/));
    await page.open("/dash/dashboard");
    await logOut(page);
    await page.open("/dash/notifications");
    await logIn(page, fay.email, PASSWORD);
    await page.sees(text(/You were hired/));
    await page.open(`/taskdetails/${id}`);
    await page.sees(text(clara.email));
    await page.fits();
  },

  "overlays open next to their buttons": async (page, api) => {
    const clara = await signUp({ name: "Clara Client" });
    const fay = await signUp({ name: "Fay Lance" });
    await api(fay, "PATCH", `/tasks/${await post(api, clara)}/bid`, { amount: 450 });
    await page.open("/dash/myposttask");
    await logIn(page, clara.email, PASSWORD);
    // Not on the login page, whose overlays close when the next page opens.
    await page.sees(heading("My Posted Tasks"));
    const bids = role("dialog", "All Bids for This Task");
    const award = role("dialog", /^Award/);
    for (const width of WIDTHS) {
      await page.resize(width, 900);
      for (const popover of [button(/^Notifications/), button(/account menu/), button(/^More for/)]) {
        await page.click(popover);
        await page.opensBeside(popover);
        await page.pressEscape();
      }
      await page.click(button(/^Bids/));
      await page.opensAt("middle", bids);
      await page.click(button("Award to Fay Lance"));
      await page.opensAt("middle", award);
      await page.pressEscape();
      await page.seesNot(award);
      await page.pressEscape();
      await page.seesNot(bids);
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
  },

  "user opens the settings and deletes the account": async (page) => {
    const sam = await signUp({ name: "Sam Setting" });
    await page.open("/dash/settings");
    await logIn(page, sam.email, PASSWORD);
    await page.sees(text(sam.email));
    await page.fits();
    await page.click(button("Send a new link"));
    await page.sees(link("Verify your email address"));
    await page.click(button("Delete my account"));
    await page.fill(field("Password"), PASSWORD);
    await page.fill(field("Type DELETE to confirm"), "DELETE");
    await page.click(button("Permanently delete my account"));
    await page.sees(text(/Your account is deleted/));
    await page.isAt("/");
    await page.sees(link("Login"));
  },
};

async function logIn(page: Page, email: string, password: string): Promise<void> {
  await page.sees(heading("Login now!"));
  await page.fill(field("Email"), email);
  await page.fill(field("Password"), password);
  await page.click(button("Login"));
}

async function logOut(page: Page): Promise<void> {
  await page.click(button("LogOut"));
  await page.sees(text("LogOut Successfully"));
  await page.isAt("/");
}

/** Posts a task through the API. @returns its id. */
async function post(api: Api, client: Person): Promise<string> {
  const draft = aTaskDraft({ title: "Illustrate a book cover", deadline: "2099-05-20", budget: 480 });
  return (await api<{ insertedId: string }>(client, "POST", "/tasks", draft)).insertedId;
}
