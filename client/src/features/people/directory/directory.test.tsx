import type { DirectoryEntry } from "@tasklane/server/contract";
import { screen, waitFor, within } from "@testing-library/react";
import { beforeEach, expect, it, vi } from "vitest";
import { openApp } from "../../../testing/open-app.tsx";

beforeEach(() => void vi.setSystemTime("2026-11-20T12:00:00Z"));

const fay: DirectoryEntry = {
  id: "fay",
  name: "Fay Lance",
  headline: "Foxes and hens",
  skills: ["Ink"],
  languages: ["de"],
  rating: { average: 4.5, count: 2 },
  jobsCompleted: 3,
  categories: ["Design", "Writing"],
  prices: { from: 40, to: 90 },
  lastActiveOn: "2026-11-19",
};
const ben: DirectoryEntry = {
  ...fay,
  ...{ id: "ben", name: "Ben New", headline: "", skills: ["Logos"], languages: [], jobsCompleted: 0 },
  ...{ categories: [], rating: { average: null, count: 0 }, prices: undefined },
};

it("When people are listed, then each card has what a client asks, and leads to the profile", async () => {
  openApp("/people", { "GET /profiles": [fay, ben] }, { person: null });
  const link = await screen.findByRole("link", { name: "Fay Lance" });
  expect(link).toHaveAttribute("href", "/people/fay");
  const card = (name: string) =>
    screen.getByRole("link", { name }).closest("li.card")?.textContent?.replace("of 5 stars,", "of 5 stars");
  expect(card("Fay Lance")).toBe(
    "FLFay Lance4.5 of 5 stars (2 reviews)Foxes and hensInk3 jobs done in Design, Writing · $40 to $90 a job · German · Active yesterday",
  );
  expect(card("Ben New")).toContain("No reviews yetLogosActive yesterday");
});

it("When filters are chosen, then the URL and the request have them, Back undoes the last, and nobody found is explained", async () => {
  const { user, server, address, goBack, isAt } = openApp(
    "/people",
    { "GET /profiles": ({ query }) => (query["search"] ? [] : [fay]) },
    { person: null },
  );
  await screen.findByRole("link", { name: "Fay Lance" });
  expect(screen.getByText("1 freelancer")).toHaveRole("status");
  const choose = async (label: string, option: string, query: string) => {
    await user.selectOptions(screen.getByLabelText(label), option);
    await isAt(`/people?${query}`);
  };
  await choose("Language", "German", "language=de");
  await choose("Rating", "4.5 stars and up", "minRating=4.5&language=de");
  await choose("Category of jobs done", "Design", "category=Design&minRating=4.5&language=de");
  const chosen = { category: "Design", minRating: "4.5", language: "de" };
  expect(server.calls.at(-1)?.query).toMatchObject(chosen);
  await goBack();
  await waitFor(() => expect(screen.getByLabelText("Category of jobs done")).toHaveValue(""));
  await user.type(screen.getByLabelText("Name or skill"), "logo");
  await screen.findByText("Nobody found");
  expect(screen.getByText(/Not everybody has completed jobs and reviews yet. Remove a filter/)).toBeVisible();
  expect(address()).toBe("/people?search=logo&minRating=4.5&language=de");
  await user.click(within(screen.getByRole("main")).getByRole("link", { name: "Show everybody" }));
  await screen.findByRole("link", { name: "Fay Lance" });
  expect(address()).toBe("/people");
  expect(screen.getByLabelText("Name or skill")).toHaveValue("");
});
