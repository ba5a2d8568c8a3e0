import { act, fireEvent, screen, waitFor } from "@testing-library/react";
import { expect, it, vi } from "vitest";
import { aTask } from "../testing/builders.ts";
import { deferred } from "../testing/deferred.ts";
import { Reply } from "../testing/fake-api.ts";
import { findDialog } from "../testing/find.ts";
import { openApp } from "../testing/open-app.tsx";
import { AMOUNT_DEBOUNCE_MS, DEBOUNCE_MS } from "./use-filters.ts";

/** Opens Browse, where a filtered list loads only once the test calls `respond`. */
async function openBrowse(query = "") {
  const { promise: responded, resolve: respond } = deferred();
  const app = openApp(
    `/browsetask${query}`,
    {
      "GET /tasks": async (call) => {
        if (call.query["search"] || call.query["category"]) await responded;
        return new Reply([aTask()], { "X-Total-Count": "7" });
      },
    },
    { person: null },
  );
  const search = await screen.findByRole("searchbox");
  const expectQuery = async (query: string) =>
    waitFor(() => {
      const { navigation, location } = app.router.state;
      expect((navigation.location ?? location).search).toBe(query);
    });
  const idle = () => waitFor(() => expect(app.router.state.navigation.state).toBe("idle"));
  const sent = (name: string) => app.server.calls.map(({ query }) => query[name]).filter(Boolean);
  const budget = (end: "Lowest" | "Highest") => screen.getByRole("textbox", { name: `${end} budget` });
  return { ...app, search, expectQuery, idle, respond, sent, budget };
}

it("When typing pauses, then one search runs for the whole word; when it is cleared while its list loads, then it stays cleared", async () => {
  const { user, search, sent, address, expectQuery, idle, respond } = await openBrowse();
  // Without the turns between the keys of `user.type`: on a busy machine one may be as long as a pause.
  for (const value of ["l", "lo", "log", "logo"]) fireEvent.change(search, { target: { value } });
  await expectQuery("?search=logo");
  await user.clear(search);
  await expectQuery("");
  respond();
  await idle();
  expect(search).toHaveValue("");
  expect(address()).toBe("/browsetask");
  expect(sent("search")).toEqual(["logo"]);
});

it("When a category is undone while its list loads, then all categories stay chosen, and Back leaves the page", async () => {
  const { user, isAt, address, goBack, expectQuery, idle, respond, goTo } = await openBrowse();
  await goTo("/about");
  await goTo("/browsetask");
  const category = await screen.findByLabelText("Category");
  await user.selectOptions(category, "Design");
  await expectQuery("?category=Design");
  await user.selectOptions(category, "All categories");
  await expectQuery("");
  respond();
  await idle();
  expect(category).toHaveValue("");
  expect(address()).toBe("/browsetask");
  await goBack();
  await isAt("/about");
});

it.each([
  ["", true],
  [" before its first list has loaded", false],
])("When a search is refined%s, then Back returns to the unfiltered list", async (_, isLoaded) => {
  const { user, search, goBack, expectQuery, idle, respond } = await openBrowse();
  if (isLoaded) respond();
  await user.type(search, "lo");
  await expectQuery("?search=lo");
  if (isLoaded) await idle();
  await user.type(search, "go");
  await expectQuery("?search=logo");
  respond();
  await idle();
  await goBack();
  await expectQuery("");
  await waitFor(() => expect(search).toHaveValue(""));
});

it("When somebody types a search and immediately opens another page, then the search does not cancel that", async () => {
  const { user, router, server, search } = await openBrowse();
  await user.type(search, "logo");
  const other = "/people/client-1";
  server.hold("reads");
  await act(async () => void router.navigate(other));
  await new Promise((resolve) => setTimeout(resolve, 2 * DEBOUNCE_MS));
  expect(router.state.navigation.location?.pathname).toBe(other);
});

it("When a budget is typed, then it is applied after a pause, without changing what is typed", async () => {
  const { user, sent, budget, expectQuery, idle } = await openBrowse();
  const lowest = budget("Lowest");
  await user.type(lowest, "$1,200");
  await expectQuery("?minBudget=1200");
  await idle();
  expect(lowest).toHaveFocus();
  expect(lowest).toHaveValue("$1,200");
  // A number that is not complete is neither requested nor an error yet.
  await user.type(lowest, ".");
  await new Promise((resolve) => setTimeout(resolve, 2 * AMOUNT_DEBOUNCE_MS));
  expect(lowest).toBeValid();
  await user.type(lowest, "50");
  await expectQuery("?minBudget=1200.50");
  await idle();
  expect(lowest).toHaveValue("$1,200.50");
  expect(sent("minBudget")).toEqual(["1200", "1200.50"]);
});

it("When an invalid range is typed, then it is reported once complete and not requested, until it is valid", async () => {
  const { user, press, budget, expectQuery, idle, respond } = await openBrowse();
  respond();
  const [lowest, highest] = [budget("Lowest"), budget("Highest")];
  await user.type(lowest, "$1,200");
  await expectQuery("?minBudget=1200");
  await user.tab();
  expect(highest).toHaveFocus();
  await user.type(highest, "90{Enter}");
  expect(lowest).toBeInvalid();
  expect(lowest).toHaveAccessibleDescription("The lowest budget is above the highest.");
  await user.selectOptions(screen.getByLabelText("Category"), "Design");
  await expectQuery("?category=Design&minBudget=1200");
  await idle();
  expect(lowest).toHaveValue("$1,200");
  expect(highest).toHaveValue("90");
  await user.type(highest, "00");
  expect(screen.queryByText("The lowest budget is above the highest.")).toBeNull();
  await user.tab();
  await expectQuery("?category=Design&minBudget=1200&maxBudget=9000");
  await idle();
  await user.clear(lowest);
  await user.type(lowest, "cheap{Enter}");
  expect(lowest).toHaveAccessibleDescription(/^Enter the lowest budget in US dollars/);
  await press("Clear all");
  await expectQuery("");
  await waitFor(() => expect(lowest).toHaveValue(""));
  expect(lowest).toBeValid();
});

it("When the URL's lowest budget is above the highest, then both are kept and reported, and no tasks are requested", async () => {
  const { user, asked, respond, budget, expectQuery } = await openBrowse("?minBudget=500&maxBudget=100");
  respond();
  await screen.findByRole("heading", { name: "Check the budget filter" });
  const lowest = budget("Lowest");
  expect(lowest).toHaveValue("500");
  expect(lowest).toHaveAccessibleDescription("The lowest budget is above the highest.");
  expect(screen.getAllByText("The lowest budget is above the highest.")).toHaveLength(2);
  await user.selectOptions(screen.getByLabelText("Category"), "Design");
  await expectQuery("?category=Design&minBudget=500&maxBudget=100");
  expect(asked("GET /tasks")).toEqual([]);
  await user.type(budget("Highest"), "0");
  await expectQuery("?category=Design&minBudget=500&maxBudget=1000");
  await screen.findByRole("link", { name: /See more/ });
  expect(lowest).toBeValid();
});

it("When the screen is a phone's, then a button shows the number of filters and opens them in a sheet", async () => {
  const { matchMedia } = window;
  vi.spyOn(window, "matchMedia").mockImplementation((media) => ({
    ...matchMedia(media),
    matches: media.includes("<"),
  }));
  const { user, fill, press, respond, expectQuery } = await openBrowse("?sort=asc&minBudget=100");
  respond();
  await press("Filters, 2 active");
  const sheet = await findDialog("Filters");
  expect(sheet.getByLabelText("Lowest budget")).toHaveValue("100");
  await user.selectOptions(sheet.getByLabelText("Category"), "Writing");
  await fill("Highest budget", "50", sheet);
  const show = await sheet.findByRole("button", { name: "Show 7 tasks" });
  await user.click(show);
  expect(screen.getByRole("dialog", { name: "Filters" })).toBeVisible();
  await fill("Highest budget", "500", sheet);
  await user.click(show);
  await waitFor(() => expect(screen.queryByRole("dialog", { name: "Filters" })).toBeNull());
  await expectQuery("?category=Writing&minBudget=100&maxBudget=500&sort=asc");
  expect(screen.getByRole("button", { name: "Filters, 3 active" })).toBeVisible();
});

it("When there are more matches than the server counts, then only the shown ones are counted", async () => {
  openApp("/browsetask?search=logo", {
    "GET /tasks": new Reply([aTask(), aTask()], {
      "X-Total-Count": "25",
      "X-Total-Count-Is": "at-least",
      Link: '</tasks?cursor=a>; rel="next"',
    }),
  });
  const status = await screen.findByText(/open tasks/, { selector: "[role=status]" });
  expect(status).toHaveTextContent(/^Showing 2 matching open tasks$/);
});
