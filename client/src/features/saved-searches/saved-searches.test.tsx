import type { SavedSearch } from "@tasklane/server/contract";
import { screen, waitFor, within } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import { AuthFailure } from "../../auth/person.ts";
import { ApiProblem } from "../../lib/problem.ts";
import { aMe, aPerson, aTask } from "../../testing/builders.ts";
import { createBrokenFirebase, createFakeFirebase } from "../../testing/fake-firebase.ts";
import { closeDialog, findDialog, findEnabled } from "../../testing/find.ts";
import { openApp } from "../../testing/open-app.tsx";

function aSearch(fields: Partial<SavedSearch> = {}): SavedSearch {
  return {
    _id: "a".repeat(24),
    ...{ name: "Logos", search: "logo", category: "Design", minBudget: "100" },
    ...{ state: "open", mail: "daily", paused: false, createdAt: "2026-01-01T00:00:00.000Z" },
    ...fields,
  };
}

/** Opens a page beside a fake server that stores saved searches. */
function open(
  address: string,
  { searches = [] as SavedSearch[], emails = true, firebase = createFakeFirebase(aPerson()) } = {},
) {
  const world = { searches };
  const app = openApp(
    address,
    {
      "GET /me": aMe({ emailAvailable: emails }),
      "GET /tasks": [aTask()],
      "GET /me/searches": () => world.searches,
      "PATCH /me/searches/:id": ({ body }) => {
        world.searches = world.searches.map((one) => ({ ...one, ...(body as object) }));
      },
      "DELETE /me/searches/:id": () => {
        world.searches = [];
      },
    },
    { firebase },
  );
  return { ...app, world };
}

const FILTERED = "/browsetask?search=logo&category=Design&minBudget=100&sort=asc";

/** Opens the form in Browse. */
async function openForm(options?: Parameters<typeof open>[1]) {
  const app = open(FILTERED, options);
  const reopen = () => app.press("Save this search");
  await reopen();
  const dialog = await findDialog("Save this search");
  return { ...app, dialog, reopen };
}

describe("in Browse", () => {
  it("When somebody saves their filters, then they are sent once, without the sort order, and a message confirms it", async () => {
    const { user, press, writes, dialog, reopen } = await openForm();
    const name = await dialog.findByLabelText("Name");
    expect(name).toHaveValue("logo, Design");
    expect(dialog.getByRole("list", { name: "Filters" })).toHaveTextContent("$100 or more");
    await user.clear(name);
    await press("Save search", dialog);
    await dialog.findByText("Name is required.");
    expect(name).toHaveFocus();
    await user.type(name, "Logos");
    await closeDialog();
    await reopen();
    expect(await dialog.findByLabelText("Name")).toHaveValue("Logos");
    await user.selectOptions(dialog.getByLabelText("Email me new tasks"), "Immediately");
    await user.dblClick(dialog.getByRole("button", { name: "Save search" }));
    await dialog.findByText(/We’ll notify you/);
    expect(writes()).toHaveLength(1);
    expect(writes()[0]).toMatchObject({
      path: "/me/searches",
      headers: { "Idempotency-Key": expect.any(String) },
    });
    expect(writes()[0]?.body).toEqual({
      ...{ name: "Logos", search: "logo", category: "Design", minBudget: "100" },
      ...{ state: "open", mail: "at-once" },
    });
  });

  it("When a response is lost, then saving again uses the same key, unless the search was deleted meanwhile", async () => {
    const { press, world, server, writes, dialog, reopen } = await openForm();
    server.fails.writes = new ApiProblem("outcome-unknown", 503, "Was it saved?");
    const save = async () => {
      await dialog.findByLabelText("Name");
      const hints = () => dialog.queryAllByText(/You have already saved this search/);
      await waitFor(() => expect(hints()).toHaveLength(world.searches.length));
      await press("Save search", dialog);
      await dialog.findByText("Was it saved?");
      await closeDialog();
      return writes().at(-1)?.headers?.["Idempotency-Key"];
    };
    const first = await save();
    world.searches = [aSearch()];
    await reopen();
    expect(await save()).toBe(first);
    world.searches = [];
    await reopen();
    expect(await save()).not.toBe(first);
  });

  it("When the session has expired, and signing out fails, then the form says so, and leads to login once it succeeds", async () => {
    const firebase = createFakeFirebase(aPerson());
    const { signOut } = firebase;
    const { press, server, isAt } = await openForm({ firebase });
    server.fails.writes = new ApiProblem("session-expired", 401, "Please log in again.");
    await press("Save search");
    firebase.signOut = () => Promise.reject(new AuthFailure("network"));
    await press("Log in again");
    expect(await screen.findByText(/can't reach the sign-in service/)).toBeVisible();
    firebase.signOut = signOut;
    await press("Log in again");
    await isAt(`/auth/login?${new URLSearchParams({ from: FILTERED })}`);
  });

  it("When the sign-in service is unreachable, then an error is shown instead of the login page", async () => {
    const { press, address } = open(FILTERED, { firebase: createBrokenFirebase() });
    await press("Save this search");
    expect(await screen.findByText(/We can't reach the sign-in service/)).toBeVisible();
    expect(address()).toBe(FILTERED);
  });

  it("When the search is already saved, then the form says so; without email, there is no email setting", async () => {
    const { dialog } = await openForm({ searches: [aSearch({ name: "My logos" })], emails: false });
    const same = await dialog.findByRole("link", { name: "My logos" });
    expect(same).toHaveAttribute("href", "/dash/searches");
    expect(dialog.queryByLabelText("Email me new tasks")).toBeNull();
  });

  it("When the limit is reached, then a link to delete a search replaces the form", async () => {
    const searches = Array.from({ length: 20 }, (_, at) => aSearch({ _id: String(at).padStart(24, "0") }));
    const { dialog } = await openForm({ searches });
    await dialog.findByText(/which is the limit/);
    expect(dialog.queryByLabelText("Name")).toBeNull();
  });

  it("When nothing is filtered, then there is no save button; a visitor logs in and comes back to the list", async () => {
    const { press, isAt, goTo } = open("/browsetask?sort=asc", { firebase: createFakeFirebase() });
    await screen.findByRole("searchbox");
    expect(screen.queryByRole("button", { name: "Save this search" })).toBeNull();
    await goTo(FILTERED);
    await press("Save this search");
    await isAt(`/auth/login?${new URLSearchParams({ from: FILTERED })}`);
  });
});

describe("the list", () => {
  it("When a search is shown, then its filters are described, and a link opens the same tasks", async () => {
    open("/dash/searches", { searches: [aSearch({ maxBudget: "300" })] });
    await screen.findByRole("heading", { name: "Logos" });
    const filters = within(screen.getByRole("list", { name: "Filters" })).getAllByRole("listitem");
    expect(filters.map(({ textContent }) => textContent)).toEqual([
      ...["“logo” in title, skills or description", "Design", "$100 to $300"],
    ]);
    expect(screen.getByRole("link", { name: "Show tasks: Logos" })).toHaveAttribute(
      "href",
      "/dash/dashBrowseTask?search=logo&category=Design&minBudget=100&maxBudget=300",
    );
  });

  it("When a search is muted, paused, renamed and deleted, then each change is saved and shown, and without any the page links to Browse", async () => {
    const { user, press, writes } = open("/dash/searches", { searches: [aSearch()] });
    const mail = await screen.findByLabelText(/Email new tasks/);
    await user.selectOptions(mail, "Never");
    await screen.findByText("Saved.");
    expect(mail).toHaveValue("never");
    await user.click(await findEnabled("Pause Logos"));
    await screen.findByText("Paused");
    await user.click(await findEnabled("Resume Logos"));
    await waitFor(() => expect(screen.queryByText("Paused")).toBeNull());
    await press("More for Logos");
    const rename = () => user.click(screen.getByRole("menuitem", { name: "Rename", hidden: true }));
    await rename();
    const name = await screen.findByLabelText("Name");
    await user.clear(name);
    await user.type(name, "Marks");
    await closeDialog();
    await rename();
    expect(await screen.findByLabelText("Name")).toHaveValue("Marks");
    await press("Rename");
    await screen.findByRole("heading", { name: "Marks" });
    await user.click(screen.getByRole("menuitem", { name: "Delete", hidden: true }));
    await press("Yes, delete it");
    await screen.findByRole("heading", { name: "No saved searches yet" });
    const browse = within(screen.getByRole("main")).getByRole("link", { name: "Browse Tasks" });
    expect(browse).toHaveAttribute("href", "/dash/dashBrowseTask");
    expect(writes().map(({ method, body }) => [method, body])).toEqual([
      ["PATCH", { mail: "never" }],
      ["PATCH", { paused: true }],
      ["PATCH", { paused: false }],
      ["PATCH", { name: "Marks" }],
      ["DELETE", undefined],
    ]);
  });
});
