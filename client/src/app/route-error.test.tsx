import { screen, waitFor, within } from "@testing-library/react";
import { expect, it } from "vitest";
import { AuthFailure } from "../auth/person.ts";
import { draftKey, readDraft, writeDraft } from "../lib/drafts.ts";
import { ApiProblem, offlineProblem } from "../lib/problem.ts";
import { aPerson } from "../testing/builders.ts";
import { createBrokenFirebase, createFakeFirebase } from "../testing/fake-firebase.ts";
import { createServer, openApp } from "../testing/open-app.tsx";

const EXPIRED = new ApiProblem("session-expired", 401, "Your session has expired.");

/** A server whose reads fail with this error. */
const failing = (reads: Error) => Object.assign(createServer(), { fails: { reads } });

it.each([
  ["there is no response", offlineProblem(), /Check your connection and try again/],
  [
    "a proxy responds 502",
    new ApiProblem("unavailable", 502, "Tasklane has a problem right now."),
    /Tasklane has a problem right now/,
  ],
  ["the server fails", new ApiProblem("internal", 500, "Something went wrong on our side."), /on our side/],
  [
    "the account is suspended",
    new ApiProblem("account-suspended", 403, "An operator has suspended your account: Spam."),
    /suspended your account: Spam\.Write to hello@/,
  ],
  ["the page has a bug", new TypeError("x is undefined"), /it is our fault/],
])("When %s, then the page says only that", async (_, thrown, text) => {
  openApp("/people/u9", {}, { person: null, server: failing(thrown) });
  const alert = await screen.findByRole("alert");
  expect(alert).toHaveTextContent(text);
  expect(within(alert).getByRole("link", { name: "Go Back Home" })).toHaveAttribute("href", "/");
  if ((thrown as ApiProblem).code !== "offline") expect(alert).not.toHaveTextContent(/connection/);
});

it("When the dashboard's layout fails too, then the error is in the page's main area", async () => {
  const firebase = createBrokenFirebase();
  openApp("/dash/dashboard", {}, { firebase });
  const alert = await screen.findByRole("alert");
  expect(screen.getByRole("main")).toContainElement(alert);
  expect(within(alert).getByRole("link", { name: "Go Back Home" })).toBeVisible();
});

it.each(["/taskdetails/x", "/dash/taskdetails/x"])(
  "When the session turns out to be over at %s, then login follows and remembers the page",
  async (path) => {
    const { router } = openApp(path, {}, { server: failing(EXPIRED) });
    await screen.findByRole("heading", { name: "Login now!" });
    await waitFor(() => expect(new URLSearchParams(router.state.location.search).get("from")).toBe(path));
  },
);

it("When the session is over and logging out fails, then the page says so and offers to retry", async () => {
  const firebase = createFakeFirebase(aPerson());
  let isDown = true;
  const signOut = async () => {
    if (isDown) throw new AuthFailure("network");
    await firebase.signOut();
  };
  const { user } = openApp(
    "/dash/taskdetails/x",
    {},
    { firebase: { ...firebase, signOut }, server: failing(EXPIRED) },
  );
  const alert = await screen.findByRole("alert");
  expect(alert).toHaveTextContent(/Your session has ended.*connection/);
  isDown = false;
  await user.click(within(alert).getByRole("button", { name: "Log in again" }));
  await screen.findByRole("heading", { name: "Login now!" });
});

it("When a suspended person logs out, then their drafts in this tab are removed", async () => {
  const draft = draftKey("", "contact");
  writeDraft(draft, { message: "Why?" });
  const { press } = openApp("/dash/settings", {
    "GET /me": () => {
      throw new ApiProblem("account-suspended", 403, "You are suspended: Spam.");
    },
  });
  await press("Log out");
  await waitFor(() => expect(readDraft(draft)).toBeNull());
  await screen.findByRole("link", { name: "Login" });
});
