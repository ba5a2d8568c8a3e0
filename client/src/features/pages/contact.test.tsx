import { cleanup, screen } from "@testing-library/react";
import { beforeEach, expect, it, vi } from "vitest";
import { openApp } from "../../testing/open-app.tsx";
import { mailtoAddress } from "./contact.tsx";

const open = () => openApp("/contact", {}, { person: null });
const send = () => screen.findByRole("button", { name: "SEND MESSAGE" });

let logged: unknown[][] = [];
beforeEach(() => {
  logged = [];
  vi.spyOn(console, "info").mockImplementation((...args: unknown[]) => logged.push(args));
});

it("When the message is empty, then the entries are logged and the page asks for a message instead of opening a mail program", async () => {
  const { user, fill } = open();
  await fill("Full name", "Nia");
  await user.click(await send());
  await screen.findByText("Please write a message first.");
  expect(logged).toEqual([["Contact message", { name: "Nia", email: "", text: "" }]]);
  expect(screen.queryByText(/is open in your mail program/)).toBeNull();
  expect(screen.getByLabelText("Full name")).toHaveValue("");
});

it("When the page is left before the message is sent, then the draft is restored, but only in this tab", async () => {
  const { fill } = open();
  await fill("Message", "Hello there");
  cleanup();
  open();
  expect(await screen.findByLabelText("Message")).toHaveValue("Hello there");
  expect(Object.keys(localStorage)).toEqual([]);
});

it("When a message has line breaks and special characters, then they are encoded for the mail program (RFC 6068)", () => {
  const address = mailtoAddress("hello@x.example", {
    name: "Ann & Bo",
    email: "a@b.c",
    text: "Hi?\n100% & more",
  });
  expect(address.startsWith("mailto:hello@x.example?subject=Message%20from%20Ann%20%26%20Bo&body=")).toBe(
    true,
  );
  const body = decodeURIComponent(address.split("&body=")[1] ?? "");
  expect(body).toBe("Hi?\r\n100% & more\r\n\r\n-- \r\nAnn & Bo <a@b.c>");
});

it("When everything is empty, then the email has only a recipient and a default subject", () => {
  expect(mailtoAddress("hello@x.example", { name: "", email: "", text: "" })).toBe(
    "mailto:hello@x.example?subject=Message&body=",
  );
});
