import { expect, it } from "vitest";
import { mailtoAddress } from "./mailto.ts";

it("When a message has line breaks and signs, then the mail program gets them as written (RFC 6068)", () => {
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

it("When everything is empty, then the mail is just addressed", () => {
  expect(mailtoAddress("hello@x.example", { name: "", email: "", text: "" })).toBe(
    "mailto:hello@x.example?subject=Message&body=",
  );
});
