import { expect, test } from "vitest";
import { readCursor, writeCursor } from "./task-cursor.ts";

const ID = "6b013f7acde63707dd8cd5c7";
const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");

const NONE = {};

test("When a cursor is read for the order and the filters it was made for, then it gives back its place", () => {
  const newest = { order: "newest", key: "2026-11-21T06:51:38.597Z", id: ID } as const;
  const byDeadline = { order: "desc", key: "2027-01-31", id: ID } as const;
  expect(readCursor(writeCursor(newest, NONE), "newest", NONE)).toEqual(newest);
  expect(
    readCursor(writeCursor(byDeadline, { a: "1", b: "2" }), "desc", { b: "2", a: "1", c: undefined }),
  ).toEqual(byDeadline);
});

test("When a cursor is for another order, or tampered with, then it is not read", () => {
  const good = writeCursor({ order: "asc", key: "2027-01-31", id: ID }, NONE);
  const [, , , digest] = JSON.parse(Buffer.from(good, "base64url").toString());
  expect(readCursor(good, "asc", NONE)).toBeDefined();
  expect(readCursor(good, "desc", NONE)).toBeUndefined();
  const bad = [
    "",
    "x",
    `${good}=`,
    `${good} `,
    encode(null),
    encode({}),
    encode(["asc", "2027-02-30", ID, digest]),
    encode(["asc", { $gt: "" }, ID, digest]),
    encode(["asc", "2027-01-31", "6B013F7ACDE63707DD8CD5C7", digest]),
    encode(["asc", "2027-01-31", "short", digest]),
    encode(["asc", "2027-01-31", ID]),
    encode(["asc", "2027-01-31", ID, digest, "more"]),
    Buffer.from(`[ "asc","2027-01-31","${ID}","${digest}"]`).toString("base64url"),
  ];
  for (const cursor of bad) expect(readCursor(cursor, "asc", NONE), cursor).toBeUndefined();
});

test("When a cursor meets other filters than its own, then it is not read", () => {
  const place = { order: "asc", key: "2027-01-31", id: ID } as const;
  const cursor = writeCursor(place, { search: "logo" });
  for (const filters of [
    {},
    { search: "Logo" },
    { category: "logo" },
    { search: "logo", category: "Design" },
  ]) {
    expect(readCursor(cursor, "asc", filters)).toBeUndefined();
  }
});
