import { act, screen, waitFor } from "@testing-library/react";
import { expect, it } from "vitest";
import { aTask } from "../../../testing/builders.ts";
import { createFakeApi } from "../../../testing/fake-api.ts";
import { createFakeAuthGateway } from "../../../testing/fake-auth-gateway.ts";
import { renderApp } from "../../../testing/render-app.tsx";
import { DEBOUNCE_MS } from "./filter-bar.tsx";

/** Browse over an API that responds to a filtered list only when the test says so. */
async function openBrowse() {
  let respond = () => {};
  const answered = new Promise<void>((resolve) => {
    respond = resolve;
  });
  const api = createFakeApi(async ({ path, query }) => {
    if (query["search"] || query["category"] || path !== "/tasks") await answered;
    return { data: [aTask()] };
  });
  const app = renderApp("/browsetask", { api, gateway: createFakeAuthGateway() });
  const search = await screen.findByRole("searchbox");
  const category = screen.getByLabelText("Category");
  const asked = async (query: string) =>
    waitFor(() => {
      const { navigation, location } = app.router.state;
      expect((navigation.location ?? location).search).toBe(query);
    });
  const idle = () => waitFor(() => expect(app.router.state.navigation.state).toBe("idle"));
  return { ...app, api, search, category, asked, idle, respond };
}

it("When a search is cleared while it loads, then it stays cleared", async () => {
  const { user, router, search, asked, idle, respond } = await openBrowse();
  await user.type(search, "logo");
  await asked("?search=logo");
  await user.clear(search);
  await asked("");
  respond();
  await idle();
  expect(search).toHaveValue("");
  expect(router.state.location.search).toBe("");
});

it("When a category is taken back while it loads, then all categories stay chosen, and back leaves the list", async () => {
  const { user, router, category, asked, idle, respond } = await openBrowse();
  await act(() => router.navigate("/about"));
  await act(() => router.navigate("/browsetask"));
  const again = await screen.findByLabelText("Category");
  expect(again).not.toBe(category);
  await user.selectOptions(again, "Design");
  await asked("?category=Design");
  await user.selectOptions(again, "All categories");
  await asked("");
  respond();
  await idle();
  expect(again).toHaveValue("");
  expect(router.state.location.search).toBe("");
  await act(() => router.navigate(-1));
  await waitFor(() => expect(router.state.location.pathname).toBe("/about"));
});

it("When a search was made and refined, then back returns to the unfiltered list", async () => {
  const { user, router, search, asked, idle, respond } = await openBrowse();
  respond();
  await user.type(search, "lo");
  await asked("?search=lo");
  await idle();
  await user.type(search, "go");
  await asked("?search=logo");
  await idle();
  await act(() => router.navigate(-1));
  await asked("");
  await waitFor(() => expect(search).toHaveValue(""));
});

it("When a search is refined before its first list has come, then back still returns to the unfiltered list", async () => {
  const { user, router, search, asked, idle, respond } = await openBrowse();
  await user.type(search, "lo");
  await asked("?search=lo");
  await user.type(search, "go");
  await asked("?search=logo");
  respond();
  await idle();
  await act(() => router.navigate(-1));
  await asked("");
});

it("When somebody types a search and opens another page at once, then the search does not hold them back", async () => {
  const { user, router, search } = await openBrowse();
  await user.type(search, "logo");
  const other = "/people/client-1";
  await act(async () => void router.navigate(other));
  await new Promise((resolve) => setTimeout(resolve, 2 * DEBOUNCE_MS));
  expect(router.state.navigation.location?.pathname).toBe(other);
});
