import { expect, test } from "vitest";
import * as z from "zod/mini";
import { cutPage, idKey, instantKey, readCursor, writeCursor } from "./pagination.ts";

const ID = "6b013f7acde63707dd8cd5c7";
const AT = "2026-11-21T06:51:38.597Z";
const schema = z.tuple([instantKey, idKey]);
const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");

test("When a cursor is read for the list it was written for, then it gives back its place", () => {
  expect(readCursor("tasks", writeCursor("tasks", [AT, ID]), schema)).toEqual([AT, ID]);
  expect(readCursor("tasks", undefined, schema)).toBeUndefined();
  const withoutKey = z.tuple([z.nullable(z.number()), idKey]);
  expect(readCursor("bids", writeCursor("bids", [null, ID]), withoutKey)).toEqual([null, ID]);
});

test("When a cursor is for another list, or tampered with, then it is invalid", () => {
  const good = writeCursor("tasks", [AT, ID]);
  const [, , digest] = JSON.parse(Buffer.from(good, "base64url").toString());
  expect(() => readCursor("tasks by deadline", good, schema)).toThrow(/^This cursor is not valid/);
  const bad = [
    "",
    "x",
    `${good}=`,
    `${good} `,
    encode(null),
    encode({}),
    encode(["2026-02-30T00:00:00.000Z", ID, digest]),
    encode([{ $gt: "" }, ID, digest]),
    encode([AT, ID.toUpperCase(), digest]),
    encode([AT, "short", digest]),
    encode([AT, ID]),
    encode([AT, ID, digest, "more"]),
    Buffer.from(`[ "${AT}","${ID}","${digest}"]`).toString("base64url"),
  ];
  for (const cursor of bad)
    expect(() => readCursor("tasks", cursor, schema), cursor).toThrow(/^This cursor is not valid/);
});

test("When one more was read than a page holds, then there is a next page after the page's last", () => {
  expect(cutPage([1, 2, 3], 2)).toEqual({ page: [1, 2], last: 2 });
  expect(cutPage([1, 2], 2)).toEqual({ page: [1, 2], last: undefined });
});
