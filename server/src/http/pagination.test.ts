import { IncomingMessage, ServerResponse } from "node:http";
import { Socket } from "node:net";
import { expect, test } from "vitest";
import * as z from "zod/mini";
import type { PageQuery } from "../contract/index.ts";
import {
  idKey,
  instantKey,
  linkToNext,
  type PageCall,
  readCursor,
  readPage,
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

test("When there is a next page, then its link has the parameters of this one with the new cursor, without a host", () => {
  const next = (query: PageQuery & { search?: string | undefined }) =>
    linkToNext({ baseUrl: "", path: "/tasks" }, query, "new");
  expect(next({ search: "a&b", cursor: "old" })).toBe('</tasks?search=a%26b&cursor=new>; rel="next"');
  expect(next({ search: undefined })).toBe('</tasks?cursor=new>; rel="next"');
  expect(next({ search: "who?", limit: "5" })).toBe('</tasks?search=who%3F&limit=5&cursor=new>; rel="next"');
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
