import { act, render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { createBrowserRouter, Link, RouterProvider } from "react-router-dom";
import { beforeEach, expect, it } from "vitest";
import { confirm, dismissPrompt } from "./confirm.ts";
import { useNavigateAfter } from "./use-navigate-after.ts";

beforeEach(() => window.history.replaceState(null, "", "/"));

/** Renders a form, and saves it: a moment later the page changes. */
async function saveForm() {
  let finish = () => {};
  const finished = new Promise<void>((resolve) => {
    finish = resolve;
  });
  let load = () => {};
  function Form() {
    const navigateAfter = useNavigateAfter();
    return (
      <>
        <button type="button" onClick={() => void navigateAfter(finished, "/saved")}>
          Save
        </button>
        <input aria-label="Note" />
        <Link to="/elsewhere">Elsewhere</Link>
        <Link to="/slow">Slow</Link>
        <Link to="#part">Part</Link>
      </>
    );
  }
  const loader = () =>
    new Promise((resolve) => {
      load = () => resolve(null);
    });
  const router = createBrowserRouter([
    { path: "/", element: <Form /> },
    { path: "/saved", element: "The saved one" },
    { path: "/elsewhere", element: "Another page" },
    { path: "/slow", loader, element: "A slow page" },
  ]);
  render(<RouterProvider router={router} />);
  const user = userEvent.setup();
  await user.click(screen.getByRole("button", { name: "Save" }));
  return {
    user,
    finish: () => act(async () => finish()),
    load: () => act(async () => load()),
    router,
  };
}

it("When the promise resolves, then the page changes", async () => {
  const { finish } = await saveForm();
  expect(screen.queryByText("The saved one")).toBeNull();
  await finish();
  expect(screen.getByText("The saved one")).toBeInTheDocument();
});

it("When a prompt has opened meanwhile, then the prompt and its page stay", async () => {
  const { finish, router } = await saveForm();
  const answer = confirm({ title: "Delete another one?", text: "", yes: "Delete" });
  await screen.findByText("Delete another one?");
  await finish();
  expect(router.state.location.pathname).toBe("/");
  dismissPrompt();
  expect(await answer).toBe(false);
});

it.each([
  ["another page", "Elsewhere", "/elsewhere"],
  ["another part of the page", "Part", "/"],
])("When somebody has opened %s meanwhile, then they stay there", async (_what, link, pathname) => {
  const { user, finish, router } = await saveForm();
  await user.click(screen.getByRole("link", { name: link }));
  await finish();
  expect(router.state.location).toMatchObject({ pathname });
});

it("When another page is still loading, then that one opens", async () => {
  const { user, finish, load } = await saveForm();
  await user.click(screen.getByRole("link", { name: "Slow" }));
  await finish();
  await load();
  expect(screen.getByText("A slow page")).toBeInTheDocument();
});

it("When somebody has started typing in a field meanwhile, then they stay there", async () => {
  const { user, finish } = await saveForm();
  await user.type(screen.getByLabelText("Note"), "Thanks");
  await finish();
  expect(screen.getByLabelText("Note")).toHaveFocus();
});
