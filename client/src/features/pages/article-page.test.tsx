import { screen, within } from "@testing-library/react";
import { expect, it } from "vitest";
import { site } from "../../lib/site.ts";
import { openApp } from "../../testing/open-app.tsx";

it("When a text is opened, then its title, sections, paragraphs and lists are shown, with the site's own words linked from the contents, and our address as a link", async () => {
  openApp("/terms", {}, { person: null });
  expect(await screen.findByRole("heading", { level: 1, name: "Terms & Conditions" })).toBeVisible();
  expect(screen.getByText(/^Last updated \w{3} \d+, \d{4}$/)).toBeVisible();
  const heading = screen.getByRole("heading", { name: "Posting tasks" });
  const section = heading.closest("section") as HTMLElement;
  expect(section.id).toBe("posting-tasks");
  expect(
    within(section).getByText(/If you do neither for \d+ days, the freelancer may mark it/),
  ).toBeVisible();
  expect(
    within(section).getByText(/^You may update, cancel or delete your own tasks.* are fixed, and it is kept/),
  ).toBeVisible();
  expect(within(section).getAllByRole("listitem")).toHaveLength(4);
  const contents = screen.getByRole("navigation", { name: "On this page", hidden: true });
  expect(within(contents).getByRole("link", { name: "Posting tasks", hidden: true })).toHaveAttribute(
    "href",
    "/terms#posting-tasks",
  );
  const main = document.getElementById("main") as HTMLElement;
  expect(within(main).getByRole("link", { name: site.contact.email })).toHaveAttribute(
    "href",
    `mailto:${site.contact.email}`,
  );
  expect(main.textContent).not.toMatch(/[{}#]|undefined/);
});
