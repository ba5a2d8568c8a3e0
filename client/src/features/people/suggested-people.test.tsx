import { screen, waitFor } from "@testing-library/react";
import { expect, it } from "vitest";
import { ApiProblem } from "../../lib/problem.ts";
import { aPerson, aReceivedBid, aTask, CLIENT, ID } from "../../testing/builders.ts";
import { pageOfItems } from "../../testing/fake-api.ts";
import { openApp } from "../../testing/open-app.tsx";

/** Somebody in the directory who names this skill. */
const entry = (id: string, skill: string, headline = "") => ({
  ...{ id, name: `Name of ${id}`, headline, skills: [skill], languages: [] },
  ...{ categories: [], rating: { average: null, count: 0 }, jobsCompleted: 2, lastActiveOn: "2026-11-01" },
});

it("When a task names skills, then its client can invite people who name them, except bidders and themselves, once each", async () => {
  const task = aTask({ _id: ID, viewer: CLIENT, title: "A fox", skills: ["Ink", "Type"], bidsCount: 1 });
  const people: Record<string, string[]> = { Ink: ["f1", "ada", "me"], Type: ["ada", "ben"] };
  const { press, server, writes } = openApp(
    `/dash/bids/${ID}`,
    {
      "GET /tasks/:id": task,
      "GET /tasks/:id/bids": (call) => pageOfItems([aReceivedBid(1)], call),
      "GET /profiles": ({ query: { search = "" } }) => people[search]?.map((id) => entry(id, search)) ?? [],
    },
    { person: aPerson({ uid: "me" }) },
  );
  await screen.findByText("Lists Type · 2 jobs done");
  const buttons = () => screen.getAllByRole("button", { name: /^Invite Name/ });
  await waitFor(() => expect(buttons()).toHaveLength(2));
  server.fails.writes = new ApiProblem("cannot-invite", 409, "They take no invitations");
  await press("Invite Name of ada to bid");
  await screen.findByText(/take no invitations/);
  server.fails.writes = undefined;
  await press("Invite Name of ben to bid");
  await screen.findByText("Invited");
  expect(writes().at(-1)).toMatchObject({ path: `/tasks/${ID}/invitations`, body: { personId: "ben" } });
});

it("When the search finds a skill in the middle of a word, or in a name, then that person is not suggested for it", async () => {
  const found = [
    entry("martin", "Logos"),
    entry("bo", "Smart homes"),
    entry("cy", "Ink", "Fine art, by hand"),
  ];
  openApp(`/dash/bids/${ID}`, {
    "GET /tasks/:id": aTask({ _id: ID, viewer: CLIENT, skills: ["Art"] }),
    "GET /tasks/:id/bids": (call) => pageOfItems([], call),
    "GET /profiles": found,
  });
  await screen.findByRole("button", { name: "Invite Name of cy to bid" });
  expect(screen.getAllByRole("button", { name: /^Invite/ })).toHaveLength(1);
});

it.each([
  ["has expired", { state: "expired" }],
  ["is hidden", { hidden: true }],
] as const)("When the task %s, then nobody is suggested, who could not bid", async (_, fields) => {
  const { asked } = openApp(`/dash/bids/${ID}`, {
    "GET /tasks/:id": aTask({ _id: ID, viewer: CLIENT, skills: ["Art"], bidsCount: 1, ...fields }),
    "GET /tasks/:id/bids": (call) => pageOfItems([aReceivedBid(1)], call),
  });
  await screen.findByRole("link", { name: "Fay 1" });
  expect(asked("GET /profiles")).toEqual([]);
});
