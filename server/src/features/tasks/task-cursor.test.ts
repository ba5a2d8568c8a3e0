import { expect, test } from "vitest";
import { readCursor, writeCursor } from "./task-cursor.ts";

const ID = "6b013f7acde63707dd8cd5c7";
const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");

test("When a cursor is read for the order it was made for, then it gives back its place", () => {
  const newest = { order: "newest", key: "2026-11-21T06:51:38.597Z", id: ID } as const;
  const byDeadline = { order: "desc", key: "2027-01-31", id: ID } as const;
  expect(readCursor(writeCursor(newest), "newest")).toEqual(newest);
  expect(readCursor(writeCursor(byDeadline), "desc")).toEqual(byDeadline);
});

test("When a cursor is for another order, or tampered with, then it is not read", () => {
  const good = writeCursor({ order: "asc", key: "2027-01-31", id: ID });
  expect(readCursor(good, "desc")).toBeUndefined();
  const bad = [
    "",
    "x",
    `${good}=`,
    `${good} `,
    encode(null),
    encode({}),
    encode(["asc", "2027-02-30", ID]),
    encode(["asc", { $gt: "" }, ID]),
    encode(["asc", "2027-01-31", "6B013F7ACDE63707DD8CD5C7"]),
    encode(["asc", "2027-01-31", "short"]),
    encode(["asc", "2027-01-31", ID, "more"]),
    Buffer.from(`[ "asc","2027-01-31","${ID}"]`).toString("base64url"),
  ];
  for (const cursor of bad) expect(readCursor(cursor, "asc"), cursor).toBeUndefined();
});
