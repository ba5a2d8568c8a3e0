import { act, screen, waitFor, within } from "@testing-library/react";
import { afterEach, expect, it, vi } from "vitest";
import { aTask } from "../../../testing/builders.ts";
import { createFakeApi, deferred } from "../../../testing/fake-api.ts";
import { createFakeAuthGateway } from "../../../testing/fake-auth-gateway.ts";
import { renderApp } from "../../../testing/render-app.tsx";
import { BUDGET_DEBOUNCE_MS, DEBOUNCE_MS } from "./use-filters.ts";

/** Browse over an API that responds to a filtered list only when the test says so. */
async function openBrowse() {
  const { promise: responded, resolve: respond } = deferred();
  const api = createFakeApi(async ({ path, query }) => {
    if (query["search"] || query["category"] || path !== "/tasks") await responded;
    return { data: [aTask()] };
  });
  const app = renderApp("/browsetask", { api, gateway: createFakeAuthGateway() });
  const search = await screen.findByRole("searchbox");
  const category = screen.getByLabelText("Category");
  const expectQuery = async (query: string) =>
    waitFor(() => {
      const { navigation, location } = app.router.state;
      expect((navigation.location ?? location).search).toBe(query);
    });
  const idle = () => waitFor(() => expect(app.router.state.navigation.state).toBe("idle"));
  return { ...app, api, search, category, expectQuery, idle, respond };
}

it("When a search is cleared while its list loads, then it stays cleared", async () => {
  const { user, router, search, expectQuery, idle, respond } = await openBrowse();
  await user.type(search, "logo");
  await expectQuery("?search=logo");
  await user.clear(search);
  await expectQuery("");
  respond();
  await idle();
  expect(search).toHaveValue("");
  expect(router.state.location.search).toBe("");
});

it("When a category is undone while its list loads, then all categories stay chosen, and Back leaves the page", async () => {
  const { user, router, category, expectQuery, idle, respond } = await openBrowse();
  await act(() => router.navigate("/about"));
  await act(() => router.navigate("/browsetask"));
  const again = await screen.findByLabelText("Category");
  expect(again).not.toBe(category);
  await user.selectOptions(again, "Design");
  await expectQuery("?category=Design");
  await user.selectOptions(again, "All categories");
  await expectQuery("");
  respond();
  await idle();
  expect(again).toHaveValue("");
  expect(router.state.location.search).toBe("");
  await act(() => router.navigate(-1));
  await waitFor(() => expect(router.state.location.pathname).toBe("/about"));
});

it("When a search was refined, then Back returns to the unfiltered list", async () => {
  const { user, router, search, expectQuery, idle, respond } = await openBrowse();
  respond();
  await user.type(search, "lo");
  await expectQuery("?search=lo");
  await idle();
  await user.type(search, "go");
  await expectQuery("?search=logo");
  await idle();
  await act(() => router.navigate(-1));
  await expectQuery("");
  await waitFor(() => expect(search).toHaveValue(""));
});

it("When a search is refined before its first list has loaded, then Back still returns to the unfiltered list", async () => {
  const { user, router, search, expectQuery, idle, respond } = await openBrowse();
  await user.type(search, "lo");
  await expectQuery("?search=lo");
  await user.type(search, "go");
  await expectQuery("?search=logo");
  respond();
  await idle();
  await act(() => router.navigate(-1));
  await expectQuery("");
});

it("When somebody types a search and immediately opens another page, then the search does not cancel that", async () => {
  const { user, router, search } = await openBrowse();
  await user.type(search, "logo");
  const other = "/people/client-1";
  await act(async () => void router.navigate(other));
  await new Promise((resolve) => setTimeout(resolve, 2 * DEBOUNCE_MS));
  expect(router.state.navigation.location?.pathname).toBe(other);
});

it("When a budget is typed, then it is applied after a pause, without changing what is typed", async () => {
  const { user, api, expectQuery, idle, respond } = await openBrowse();
  respond();
  const lowest = screen.getByRole("textbox", { name: "Lowest budget" });
  await user.type(lowest, "$1,200");
  await expectQuery("?minBudget=1200");
  await idle();
  expect(lowest).toHaveFocus();
  expect(lowest).toHaveValue("$1,200");
  // A number that is not complete is neither requested nor an error yet.
  await user.type(lowest, ".");
  await new Promise((resolve) => setTimeout(resolve, 2 * BUDGET_DEBOUNCE_MS));
  expect(lowest).toBeValid();
  await user.type(lowest, "50");
  await expectQuery("?minBudget=1200.50");
  await idle();
  expect(lowest).toHaveValue("$1,200.50");
  const asked = api.calls.map(({ query }) => query["minBudget"]);
  expect(asked.filter(Boolean)).toEqual(["1200", "1200.50"]);
});

it("When an invalid range is typed, then it is reported once complete and not requested, until it is valid", async () => {
  const { user, category, expectQuery, idle, respond } = await openBrowse();
  respond();
  const lowest = screen.getByRole("textbox", { name: "Lowest budget" });
  const highest = screen.getByRole("textbox", { name: "Highest budget" });
  await user.type(lowest, "$1,200");
  await expectQuery("?minBudget=1200");
  await user.tab();
  expect(highest).toHaveFocus();
  await user.type(highest, "90{Enter}");
  expect(lowest).toBeInvalid();
  expect(lowest).toHaveAccessibleDescription("The lowest budget is above the highest.");
  await user.selectOptions(category, "Design");
  await expectQuery("?category=Design&minBudget=1200");
  await idle();
  expect([lowest, highest].map((field) => (field as HTMLInputElement).value)).toEqual(["$1,200", "90"]);

  await user.type(highest, "00");
  expect(screen.queryByText("The lowest budget is above the highest.")).not.toBeInTheDocument();
  await user.tab();
  await expectQuery("?category=Design&minBudget=1200&maxBudget=9000");
  await idle();
  await user.clear(lowest);
  await user.type(lowest, "cheap{Enter}");
  expect(lowest).toHaveAccessibleDescription(/^Enter the lowest budget in US dollars/);
  await user.click(screen.getByRole("button", { name: "Clear all" }));
  await expectQuery("");
  await waitFor(() => expect(lowest).toHaveValue(""));
  expect(lowest).toBeValid();
});

it("When the URL's lowest budget is above the highest, then both are kept and reported, and no tasks are requested", async () => {
  const api = createFakeApi(() => ({ data: [aTask()] }));
  const { user, router } = renderApp("/browsetask?minBudget=500&maxBudget=100", {
    api,
    gateway: createFakeAuthGateway(),
  });
  await screen.findByRole("heading", { name: "Check the budget filter" });
  const lowest = screen.getByRole("textbox", { name: "Lowest budget" });
  const highest = screen.getByRole("textbox", { name: "Highest budget" });
  expect(lowest).toHaveValue("500");
  expect(highest).toHaveValue("100");
  expect(lowest).toHaveAccessibleDescription("The lowest budget is above the highest.");
  expect(screen.getAllByText("The lowest budget is above the highest.")).toHaveLength(2);
  await user.selectOptions(screen.getByLabelText("Category"), "Design");
  await waitFor(() =>
    expect(router.state.location.search).toBe("?category=Design&minBudget=500&maxBudget=100"),
  );
  expect(api.calls.filter(({ path }) => path === "/tasks")).toEqual([]);
  await user.type(highest, "0");
  await waitFor(() => expect(router.state.location.search).toContain("maxBudget=1000"));
  await screen.findByRole("link", { name: /Logo|See more/ });
  expect(lowest).toBeValid();
});

it("When the screen is a phone's, then a button shows the number of filters and opens them in a sheet", async () => {
  vi.spyOn(window, "matchMedia").mockImplementation(
    (media) => ({ media, matches: media.includes("<"), ...listeners }) as unknown as MediaQueryList,
  );
  const api = createFakeApi(() => ({ data: [aTask()], headers: { "X-Total-Count": "7" } }));
  const open = "/browsetask?search=logo&sort=asc&minBudget=100";
  const { user, router } = renderApp(open, { api, gateway: createFakeAuthGateway() });
  await user.click(await screen.findByRole("button", { name: "Filters, 2 active" }));
  const sheet = within(screen.getByRole("dialog", { name: "Filters" }));
  expect(sheet.getByLabelText("Lowest budget")).toHaveValue("100");
  await user.selectOptions(sheet.getByLabelText("Category"), "Writing");
  await user.type(sheet.getByLabelText("Highest budget"), "50");
  const show = await sheet.findByRole("button", { name: "Show 7 tasks" });
  await user.click(show);
  expect(screen.getByRole("dialog", { name: "Filters" })).toBeInTheDocument();
  await user.type(sheet.getByLabelText("Highest budget"), "0");
  await user.click(show);
  await waitFor(() => expect(screen.queryByRole("dialog", { name: "Filters" })).not.toBeInTheDocument());
  await waitFor(() =>
    expect(router.state.location.search).toBe(
      "?search=logo&category=Writing&minBudget=100&maxBudget=500&sort=asc",
    ),
  );
  expect(screen.getByRole("button", { name: "Filters, 3 active" })).toBeInTheDocument();
});

it("When there are more matches than the server counts, then only the shown ones are counted", async () => {
  const headers = {
    "X-Total-Count": "25",
    "X-Total-Count-Is": "at-least",
    Link: '</tasks?cursor=a>; rel="next"',
  };
  const api = createFakeApi(() => ({ data: [aTask(), aTask()], headers }));
  renderApp("/browsetask?search=logo", { api, gateway: createFakeAuthGateway() });
  expect(await screen.findByText(/open tasks/, { selector: "[role=status]" })).toHaveTextContent(
    /^Showing 2 matching open tasks$/,
  );
});

const listeners = { addEventListener: () => undefined, removeEventListener: () => undefined };
afterEach(() => vi.restoreAllMocks());
