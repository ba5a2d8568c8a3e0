import { screen } from "@testing-library/react";
import { beforeEach, expect, it, vi } from "vitest";
import { createFakeApi } from "../../testing/fake-api.ts";
import { createFakeAuthGateway } from "../../testing/fake-auth-gateway.ts";
import { renderApp } from "../../testing/render-app.tsx";

const open = () =>
  renderApp("/contact", { api: createFakeApi(() => ({ data: [] })), gateway: createFakeAuthGateway() }).user;
const send = () => screen.findByRole("button", { name: "SEND MESSAGE" });

let said: unknown[][] = [];
beforeEach(() => {
  said = [];
  vi.spyOn(console, "info").mockImplementation((...words: unknown[]) => said.push(words));
});

it("When nothing was written, then the entries are logged, no mail program is spoken of, and none is opened", async () => {
  const user = open();
  await user.type(await screen.findByLabelText("Full name"), "Nia");
  await user.click(await send());
  expect(said).toEqual([["Contact message", { name: "Nia", email: "", text: "" }]]);
  expect(screen.getByText(/There was no message in it/)).toBeInTheDocument();
  expect(screen.queryByText(/is open in your mail program: press send/)).toBeNull();
  expect(screen.getByLabelText("Full name")).toHaveValue("");
});
