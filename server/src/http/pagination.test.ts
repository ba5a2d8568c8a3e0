import { IncomingMessage, ServerResponse } from "node:http";
import { Socket } from "node:net";
import { expect, test } from "vitest";
import * as z from "zod/mini";
import { aTaskDoc } from "../../test/builders.ts";
import type { PageQuery } from "../contract/index.ts";
import {
  cutPage,
  idKey,
  instantKey,
  linkToNext,
  newestFirst,
  type PageCall,
  pageLimit,
  readCursor,
  readPage,
  unmarkedFirstBy,
  writeCursor,
} from "./pagination.ts";

const ID = "6b013f7acde63707dd8cd5c7";
const AT = "2026-11-21T06:51:38.597Z";
const schema = z.tuple([instantKey, idKey]);
const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");

test("When a cursor is read for the list it was written for, then it returns the sort key", () => {
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
    encode([AT, `${ID}0`, digest]),
    encode([AT, `0${ID}`, digest]),
    encode([AT, ID]),
    encode([AT, ID, digest, "more"]),
    Buffer.from(`[ "${AT}","${ID}","${digest}"]`).toString("base64url"),
  ];
  for (const cursor of bad) {
    const read = () => readCursor("tasks", cursor, schema);
    expect(read, cursor).toThrow(/^This cursor is not valid/);
    expect(read).toThrow(expect.objectContaining({ code: "invalid-cursor" }));
  }
});

test("When more documents were read than a page holds, then there is a next page after the page's last document", () => {
  expect(cutPage([1, 2, 3], 2)).toEqual({ page: [1, 2], last: 2 });
  expect(cutPage([1, 2, 3, 4], 3)).toEqual({ page: [1, 2, 3], last: 3 });
  expect(cutPage([1, 2], 2)).toEqual({ page: [1, 2], last: undefined });
});

test("When a list has long filters, then its cursor is still short", () => {
  expect(writeCursor("tasks", [AT, ID]).length).toBeLessThanOrEqual(100);
  expect(writeCursor("x".repeat(900), [AT, ID]).length).toBeLessThanOrEqual(100);
});

test("When a list is ordered newest first, then its sort keys are pairs of time and id", () => {
  const { _id, createdAt } = aTaskDoc();
  const key = newestFirst.keyOf({ _id, createdAt });
  expect(key).toEqual([createdAt.toISOString(), _id.toHexString()]);
  expect(readCursor("news", writeCursor("news", key), newestFirst.key)).toEqual(key);
  for (const wrong of [[AT], [AT, AT], [ID, ID], [AT, ID, 1]] as string[][])
    expect(() => readCursor("news", writeCursor("news", wrong), newestFirst.key)).toThrow();
});

test("When no limit is given, then a page holds twenty documents", () => {
  expect([pageLimit({}), pageLimit({ limit: "7" })]).toEqual([20, 7]);
});

test("When there is a next page, then its link has the parameters of this one with the new cursor, without a host", () => {
  const next = (query: PageQuery & { search?: string | undefined }) =>
    linkToNext({ baseUrl: "", path: "/tasks" }, query, "new");
  expect(next({ search: "a&b", cursor: "old" })).toBe('</tasks?search=a%26b&cursor=new>; rel="next"');
  expect(next({ search: undefined })).toBe('</tasks?cursor=new>; rel="next"');
  expect(next({ search: "who?", limit: "5" })).toBe('</tasks?search=who%3F&limit=5&cursor=new>; rel="next"');
});

test("When documents without a mark come first, then the sort keys begin with the mark", () => {
  const { _id, createdAt } = aTaskDoc();
  const { key, keyOf } = unmarkedFirstBy("settled");
  const place = keyOf({ _id, createdAt, settled: true });
  expect(place).toEqual([true, createdAt.toISOString(), _id.toHexString()]);
  expect(readCursor("reports", writeCursor("reports", place), key)).toEqual(place);
});

test("When a page is read, then one document more tells whether it links to a next page, which begins after its last", async () => {
  const letters = ["a", "b", "c", "d", "e"].map((key) => ({ key }));
  const order = { key: z.tuple([z.string()]), keyOf: ({ key }: { key: string }) => [key] as const };
  const read = async (query: { limit: string; cursor?: string }) => {
    const response = new ServerResponse(new IncomingMessage(new Socket()));
    const call = { query, request: { baseUrl: "", path: "/letters" }, response };
    const page = await readPage(call as unknown as PageCall, {
      list: "letters",
      order,
      read: async ({ after: [after = ""] = [], limit }) =>
        letters.filter(({ key }) => key > after).slice(0, limit),
    });
    return [page.map(({ key }) => key).join(""), response.getHeader("Link")];
  };
  const next = (limit: string, key: string) =>
    `</letters?limit=${limit}&cursor=${writeCursor("letters", [key])}>; rel="next"`;
  expect(await read({ limit: "2" })).toEqual(["ab", next("2", "b")]);
  expect(await read({ limit: "2", cursor: writeCursor("letters", ["b"]) })).toEqual(["cd", next("2", "d")]);
  expect(await read({ limit: "3", cursor: writeCursor("letters", ["b"]) })).toEqual(["cde", undefined]);
  await expect(read({ limit: "2", cursor: writeCursor("digits", ["b"]) })).rejects.toThrow();
});
