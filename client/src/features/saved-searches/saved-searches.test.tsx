import type { SavedSearch } from "@tasklane/server/contract";
import { fireEvent, screen, waitFor, within } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import { AuthFailure } from "../../auth/person.ts";
import { ApiProblem, offlineProblem } from "../../lib/problem.ts";
import { aMe, aTask } from "../../testing/builders.ts";
import { createFakeApi, deferred } from "../../testing/fake-api.ts";
import { createBrokenFirebase, createFakeFirebase } from "../../testing/fake-firebase.ts";
import { findEnabled } from "../../testing/find-enabled.ts";
import { renderApp } from "../../testing/render-app.tsx";

// The first test also loads the pages' modules.
const SLOW = { timeout: 15_000 };
const ME = aMe();

function aSearch(fields: Partial<SavedSearch> = {}): SavedSearch {
  return {
    _id: "a".repeat(24),
    name: "Logos",
    search: "logo",
    category: "Design",
    minBudget: "100",
    state: "open",
    mail: "daily",
    paused: false,
    createdAt: "2026-01-01T00:00:00.000Z",
    ...fields,
  };
}

/** Renders the app with a fake API that stores saved searches. */
async function open(
  address: string,
  { searches = [] as SavedSearch[], signedIn = true, emails = true, firebase = createFakeFirebase() } = {},
) {
  if (signedIn) await firebase.createUser("fay@example.com", "Secret1");
  const state = {
    searches,
    failing: false,
    refuse: undefined as Error | undefined,
    slow: undefined as Promise<void> | undefined,
  };
  const api = createFakeApi(async ({ method, path, body }) => {
    if (path === "/me") return { data: { ...ME, emailAvailable: emails } };
    if (path === "/tasks") return { data: [aTask()] };
    if (!path.startsWith("/me/searches")) return { data: [] };
    if (method === "GET") return { data: state.searches };
    await state.slow;
    if (state.failing) throw offlineProblem();
    if (state.refuse) throw state.refuse;
    if (method === "POST") return { data: { acknowledged: true, insertedId: "b".repeat(24) } };
    if (method === "DELETE") {
      state.searches = [];
      return { data: { acknowledged: true, deletedCount: 1 } };
    }
    state.searches = state.searches.map((one) => ({ ...one, ...(body as object) }));
    return { data: { acknowledged: true, matchedCount: 1, modifiedCount: 1 } };
  });
  const app = renderApp(address, { api, firebase });
  const writes = () => api.calls.filter(({ method }) => method !== "GET");
  return { ...app, state, writes };
}

const FILTERED = "/browsetask?search=logo&category=Design&minBudget=100&sort=asc";
const findSaveButton = () => screen.findByRole("button", { name: "Save this search" }, SLOW);

describe("in Browse", () => {
  it("When somebody saves their filters, then they are sent once, without the sort order, and a message confirms it", async () => {
    const { user, writes } = await open(FILTERED);
    await user.click(await findSaveButton());
    const dialog = await screen.findByRole("dialog", { name: "Save this search" });
    const name = await within(dialog).findByLabelText("Name", undefined, SLOW);
    expect(name).toHaveValue("logo, Design");
    expect(within(dialog).getByRole("list", { name: "Filters" })).toHaveTextContent("$100 or more");
    await user.clear(name);
    await user.click(within(dialog).getByRole("button", { name: "Save search" }));
    await within(dialog).findByText("Name is required.");
    expect(name).toHaveFocus();
    await user.type(name, "Logos");
    fireEvent(dialog, new Event("close"));
    await waitFor(() => expect(name).not.toBeInTheDocument());
    await user.click(await findSaveButton());
    expect(await within(dialog).findByLabelText("Name")).toHaveValue("Logos");
    await user.selectOptions(within(dialog).getByLabelText("Email me new tasks"), "Immediately");
    await user.dblClick(within(dialog).getByRole("button", { name: "Save search" }));
    await within(dialog).findByText(/We’ll notify you/);
    expect(writes()).toHaveLength(1);
    expect(writes()[0]).toMatchObject({
      path: "/me/searches",
      body: {
        name: "Logos",
        search: "logo",
        category: "Design",
        minBudget: "100",
        state: "open",
        mail: "at-once",
      },
      headers: { "Idempotency-Key": expect.any(String) },
    });
    expect(writes()[0]?.body).not.toHaveProperty("sort");
    expect(writes()[0]?.body).not.toHaveProperty("maxBudget");
  });

  it("When a response is lost, then saving again uses the same key, unless the search was deleted meanwhile", async () => {
    const { user, state, writes } = await open(FILTERED);
    const save = async (searches: SavedSearch[]) => {
      state.searches = searches;
      await user.click(await findSaveButton());
      const dialog = await screen.findByRole("dialog", { name: "Save this search" });
      const button = await within(dialog).findByRole("button", { name: "Save search" }, SLOW);
      const hints = () => within(dialog).queryAllByText(/You have already saved this search/);
      await waitFor(() => expect(hints()).toHaveLength(searches.length));
      await user.click(button);
      await within(dialog).findByText("Was it saved?");
      fireEvent(dialog, new Event("close"));
      await waitFor(() => expect(button).not.toBeInTheDocument());
      return writes().at(-1)?.headers?.["Idempotency-Key"];
    };
    state.refuse = new ApiProblem("outcome-unknown", 503, "Was it saved?");
    const first = await save([]);
    expect(await save([aSearch()])).toBe(first);
    expect(await save([])).not.toBe(first);
  });

  it("When the session has expired, then logging in again returns to the list with the draft", async () => {
    const firebase = createFakeFirebase();
    const { signOut } = firebase;
    const { user, router, state } = await open(`${FILTERED}#main`, { firebase });
    state.refuse = new ApiProblem("session-expired", 401, "Please log in again.");
    await user.click(await findSaveButton());
    const name = await screen.findByLabelText("Name", undefined, SLOW);
    await user.clear(name);
    await user.type(name, "Logos");
    await user.click(screen.getByRole("button", { name: "Save search" }));
    firebase.signOut = () => Promise.reject(new AuthFailure("network"));
    await user.click(await screen.findByRole("button", { name: "Log in again" }));
    expect(await screen.findByText(/can't reach the sign-in service/)).toBeVisible();
    firebase.signOut = signOut;
    await user.click(screen.getByRole("button", { name: "Log in again" }));
    await screen.findByRole("heading", { name: "Login now!" }, SLOW);
    expect(new URLSearchParams(router.state.location.search).get("from")).toBe(`${FILTERED}#main`);
    await user.type(screen.getByLabelText("Email"), "fay@example.com");
    await user.type(screen.getByLabelText("Password"), "Secret1");
    await user.click(screen.getByRole("button", { name: "Login" }));
    await user.click(await findSaveButton());
    expect(await screen.findByLabelText("Name")).toHaveValue("Logos");
  });

  it("When the sign-in service is unreachable, then an error is shown instead of the login page", async () => {
    const { user, router } = await open(FILTERED, { signedIn: false, firebase: createBrokenFirebase() });
    await user.click(await findSaveButton());
    expect(await screen.findByText(/We can't reach the sign-in service/, {}, SLOW)).toBeVisible();
    expect(router.state.location.pathname).toBe("/browsetask");
  });

  it("When the search is already saved, then the form says so; without email, there is no email setting", async () => {
    const { user } = await open(FILTERED, { searches: [aSearch({ name: "My logos" })], emails: false });
    await user.click(await findSaveButton());
    const same = await screen.findByRole("link", { name: "My logos" }, SLOW);
    expect(same).toHaveAttribute("href", "/dash/searches");
    expect(screen.queryByLabelText("Email me new tasks")).toBeNull();
  });

  it("When the limit is reached, then a link to delete a search replaces the form", async () => {
    const searches = Array.from({ length: 20 }, (_, at) => aSearch({ _id: String(at).padStart(24, "0") }));
    const { user } = await open(FILTERED, { searches });
    await user.click(await findSaveButton());
    await screen.findByText(/which is the limit/, undefined, SLOW);
    expect(screen.queryByLabelText("Name")).toBeNull();
  });

  it("When nothing is filtered, then there is no save button; a visitor logs in and comes back to the list", async () => {
    const { user, router } = await open("/browsetask?sort=asc", { signedIn: false });
    await screen.findByRole("searchbox", undefined, SLOW);
    expect(screen.queryByRole("button", { name: "Save this search" })).toBeNull();
    await router.navigate(FILTERED);
    await user.click(await findSaveButton());
    await waitFor(() => expect(router.state.location.pathname).toBe("/auth/login"));
    expect(new URLSearchParams(router.state.location.search).get("from")).toBe(FILTERED);
  });
});

describe("the list", () => {
  it("When there are no saved searches, then the page links to Browse", async () => {
    await open("/dash/searches");
    await screen.findByRole("heading", { name: "No saved searches yet" }, SLOW);
    expect(within(screen.getByRole("main")).getByRole("link", { name: "Browse Tasks" })).toHaveAttribute(
      "href",
      "/dash/dashBrowseTask",
    );
  });

  it("When a search is shown, then its filters are described, and a link opens the same tasks", async () => {
    await open("/dash/searches", { searches: [aSearch({ maxBudget: "300" })] });
    await screen.findByRole("heading", { name: "Logos" }, SLOW);
    const filters = screen.getByRole("list", { name: "Filters" });
    expect(
      within(filters)
        .getAllByRole("listitem")
        .map(({ textContent }) => textContent),
    ).toEqual(["“logo” in title or skills", "Design", "$100 to $300"]);
    expect(screen.getByRole("link", { name: "Show tasks: Logos" })).toHaveAttribute(
      "href",
      "/dash/dashBrowseTask?search=logo&category=Design&minBudget=100&maxBudget=300",
    );
  });

  it("When a search is muted, paused, renamed and deleted, then each change is saved and shown", async () => {
    const { user, writes } = await open("/dash/searches", { searches: [aSearch()] });
    const mail = await screen.findByLabelText(/Email new tasks/, undefined, SLOW);
    await user.selectOptions(mail, "Never");
    await screen.findByText("Saved.");
    expect(mail).toHaveValue("never");
    await user.click(await findEnabled("Pause Logos"));
    await screen.findByText("Paused");
    await user.click(await findEnabled("Resume Logos"));
    await waitFor(() => expect(screen.queryByText("Paused")).toBeNull());
    await user.click(screen.getByRole("button", { name: "More for Logos" }));
    await user.click(screen.getByRole("menuitem", { name: "Rename", hidden: true }));
    const name = await screen.findByLabelText("Name");
    await user.clear(name);
    await user.type(name, "Marks");
    fireEvent(screen.getByRole("dialog", { name: "Rename this search" }), new Event("close"));
    await waitFor(() => expect(name).not.toBeInTheDocument());
    await user.click(screen.getByRole("menuitem", { name: "Rename", hidden: true }));
    expect(await screen.findByLabelText("Name")).toHaveValue("Marks");
    await user.click(screen.getByRole("button", { name: "Rename" }));
    await screen.findByRole("heading", { name: "Marks" });
    await user.click(screen.getByRole("menuitem", { name: "Delete", hidden: true }));
    await user.click(await screen.findByRole("button", { name: "Yes, delete it" }, SLOW));
    await screen.findByRole("heading", { name: "No saved searches yet" }, SLOW);
    expect(writes().map(({ method, body }) => [method, body])).toEqual([
      ["PATCH", { mail: "never" }],
      ["PATCH", { paused: true }],
      ["PATCH", { paused: false }],
      ["PATCH", { name: "Marks" }],
      ["DELETE", undefined],
    ]);
  });

  it("When the choice changes again before the server responds, then the last choice is sent last and stays", async () => {
    const { user, state, writes } = await open("/dash/searches", { searches: [aSearch()] });
    const mail = await screen.findByLabelText(/Email new tasks/, undefined, SLOW);
    const { promise, resolve: respond } = deferred();
    state.slow = promise;
    await user.selectOptions(mail, "Never");
    await waitFor(() => expect(writes()).toHaveLength(1));
    await user.selectOptions(mail, "Immediately");
    expect(mail).toHaveValue("at-once");
    expect(writes()).toHaveLength(1);
    respond();
    await waitFor(() =>
      expect(writes().map(({ body }) => body)).toEqual([{ mail: "never" }, { mail: "at-once" }]),
    );
    await screen.findByText("Saved.");
    expect(mail).toHaveValue("at-once");
  });

  it("When a change cannot be saved, then it is reverted with an error", async () => {
    const { user, state } = await open("/dash/searches", { searches: [aSearch()] });
    const mail = await screen.findByLabelText(/Email new tasks/, undefined, SLOW);
    state.failing = true;
    await user.selectOptions(mail, "Never");
    await screen.findByText(/Not saved/);
    expect(mail).toHaveValue("daily");
  });
});
