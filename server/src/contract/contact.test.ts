import { expect, test } from "vitest";
import { contactKindsIn, containsEmailAddress, publicName, UNNAMED } from "./index.ts";

test.each([
  ["Write to fay.lance+jobs@mail.example today", "email"],
  ["(fay@mail.co.uk).", "email"],
  ["Ｆay＠mail．example", "email"],
  ["fay@ma\u200Bil.example", "email"],
  ["jörg@büro.example", "email"],
  ["fay [at] mail [dot] example", "email"],
  ["fay at gmail dot com", "email"],
  ["+49 170 1234567", "phone"],
  ["+8801712345678", "phone"],
  ["I am at (555) 010-4477", "phone"],
  ["555-010-4477", "phone"],
  ["0170 1234567", "phone"],
  ["030/123 45 67", "phone"],
  ["01712345678", "phone"],
  ["tel. 123 456", "phone"],
  ["Call me on 555 0104", "phone"],
  ["https://t.me/faylance", "messenger"],
  ["wa.me/15550104477", "messenger"],
  ["Contact me on WhatsApp", "messenger"],
  ["Telegram: @faylance", "messenger"],
  ["@faylance on Telegram", "messenger"],
  ["my Skype is fay.lance", "messenger"],
  ["skype: live:faylance", "messenger"],
  ["WhatsApp\u00A0ID: faylance", "messenger"],
  ["discord:fay#1234", "messenger"],
  ["message  me \n via   Telegram", "messenger"],
  ["fay at proton dot me", "email"],
  ["+12345 67890 12345", "phone"],
])("When a text says %j, then it contains contact data: %s", (text, kind) => {
  expect(contactKindsIn(text)).toEqual([kind]);
});

test("When several texts contain several kinds, then each kind is returned once, in a fixed order", () => {
  expect(
    contactKindsIn("+49 170 1234567", undefined, "fay@mail.example, Telegram: @faylance", "a@b.example"),
  ).toEqual(["email", "phone", "messenger"]);
});

test.each([
  // Money
  "$1,200,000 or 1 200 000 USD, or 1.200.000,00 €",
  "from $12000 to $15000, at most 20000000",
  "between 1,000 - 1,500 and +500 for express",
  // Dates and times
  "2026-11-22, 22.11.2026, 11/22/2026 and 01/02/2026",
  "01-02-2026 10:00-18:00 to 03-02-2026 12:30",
  "2026-11-22T10:00:00.000Z",
  "from 2019-2024 or 1999 2000 2001",
  "on 01 02 2026 10:00",
  "Call me on 22.11.2026, or on 2026-11-22",
  // Numbers of things
  "id: 01712345678, id 01712345678, id:01712345678 and 5 01712345678",
  "Order 123456789, invoice #20261105-881, item 4006381333931",
  "ISBN 978-3-16-148410-0",
  "4111 1111 1111 1111",
  "1920x1080, 1280 x 720 and 300 600 900",
  "192.168.100.101 and 10.0.0.12:8080",
  "52.520008, 13.404954",
  "550e8400-e29b-41d4-a716-446655440000",
  "0123456789abcdef0123456789",
  // Versions
  "lodash@4.17.21, react@18.x and node 20.20.2",
  "@tasklane/server@1.0.0",
  "logo@2x.png, icon@3x.webp and poster@10x.png",
  // URLs of pages and repositories
  "https://shop.example/order/5550104477?tel=0170-1234567",
  "www.shop.example/555-010-4477",
  "git@github.com:fay/lance.git",
  "Look at https://example.com/@faylance",
  // Work about messengers, telephones and mail
  "A Telegram bot for WhatsApp orders, with a Discord server",
  "Telegram: build a bot that answers in 5 languages",
  "Skype interviews with 12 customers",
  "Move our mail from Gmail to Outlook",
  "An email template and a signal processing course",
  "Call me old-fashioned, but 3 rounds in 14 days are enough",
  "Mobile first: 320 to 1920 px, 60 fps",
  "a phone case, 150 x 75 mm",
  "meet @ 5 pm, budget @ $20",
  "Hosted: at gmail.com",
  "",
])("When a text says %j, then it contains no contact data", (text) => {
  expect(contactKindsIn(text)).toEqual([]);
});

test("When a name contains an email address or a lookalike, then it is detected", () => {
  const names = ["fay@mail.example", "Fay (fay@mail)", "Fay", "@fay", "fay@", "Fay @ home"];
  expect(names.filter(containsEmailAddress)).toEqual(["fay@mail.example", "Fay (fay@mail)"]);
});

test("When a text of maximum length provokes backtracking, then it is still checked quickly", () => {
  // Of this process alone: a busy machine takes longer.
  const before = process.cpuUsage();
  for (const piece of ["a", "0", "0 ", "1-", "a.", "a@", "a@a.", "+1 ", "(1", "call me ", "@", "tel 1 "])
    contactKindsIn(piece.repeat(5_000).slice(0, 5_000));
  expect(process.cpuUsage(before).user / 1_000).toBeLessThan(1_000);
});

test.each([
  ["  Fay Lance ", "Fay Lance"],
  ["x".repeat(100), "x".repeat(100)],
  ["x".repeat(101), UNNAMED],
  ["Zoe\u0308", "Zo\u00eb"],
  // Composed, it is three characters.
  ["\ufb2c".repeat(50), UNNAMED],
  ["fay@mail.example", UNNAMED],
  ["Fay\u0000", UNNAMED],
  ["Fay\nLance", UNNAMED],
  [" \u200b ", UNNAMED],
  [null, UNNAMED],
  [undefined, UNNAMED],
])("When somebody's name is %j, then others see %j", (name, seen) => {
  expect(publicName(name)).toBe(seen);
});
