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
  prices: { from: 40, to: 90 },
  lastActiveOn: "2026-11-19",
};
const ben: DirectoryEntry = {
  ...fay,
  ...{ id: "ben", name: "Ben New", headline: "", skills: ["Logos"], languages: [], jobsCompleted: 0 },
  ...{ rating: { average: null, count: 0 }, prices: undefined },
};

it("When people are listed, then each card has what a client asks, and leads to the profile", async () => {
  openApp("/people", { "GET /profiles": [fay, ben] }, { person: null });
  const link = await screen.findByRole("link", { name: "Fay Lance" });
  expect(link).toHaveAttribute("href", "/people/fay");
  const card = (name: string) =>
    screen.getByRole("link", { name }).closest("li.card")?.textContent?.replace("of 5 stars,", "of 5 stars");
  expect(card("Fay Lance")).toBe(
    "FLFay Lance4.5 of 5 stars (2 reviews)Foxes and hensInk3 jobs done · $40 to $90 a job · German · Active yesterday",
  );
  expect(card("Ben New")).toContain("No reviews yetLogosActive yesterday");
});

it("When the URL has nonsense, then what can be searched for is, in any language", async () => {
  const search = encodeURIComponent(`ink\u0000${"a".repeat(200)}`);
  const { server } = openApp(
    `/people?search=${search}&language=zz`,
    { "GET /profiles": [fay] },
    { person: null },
  );
  await screen.findByRole("link", { name: "Fay Lance" });
  expect(server.calls.at(-1)?.query).toMatchObject({ search: `ink ${"a".repeat(116)}`, language: "" });
});

it("When a skill and a language are chosen, then the URL and the request have them, and nobody found is explained", async () => {
  const { user, server, address } = openApp(
    "/people",
    { "GET /profiles": ({ query }) => (query["search"] ? [] : [fay]) },
    { person: null },
  );
  await screen.findByRole("link", { name: "Fay Lance" });
  await user.type(screen.getByLabelText("Name or skill"), "logo{Enter}");
  await screen.findByText("Nobody found");
  expect(address()).toBe("/people?search=logo");
  await user.selectOptions(screen.getByLabelText("Language"), "German");
  await waitFor(() => expect(address()).toBe("/people?search=logo&language=de"));
  expect(server.calls.at(-1)?.query).toMatchObject({ search: "logo", language: "de" });
  await user.click(within(screen.getByRole("main")).getByRole("link", { name: "Show everybody" }));
  await screen.findByRole("link", { name: "Fay Lance" });
  expect(screen.getByLabelText("Name or skill")).toHaveValue("");
});
