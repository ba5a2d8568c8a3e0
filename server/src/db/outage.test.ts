import { type BulkWriteResult, MongoBulkWriteError, MongoNetworkError } from "mongodb";
import { expect, test } from "vitest";
import { isDatabaseOutage } from "./outage.ts";

const NOTHING_DONE = {} as BulkWriteResult;

test("When a lost connection ends a bulk write, then that is an outage and no bug", () => {
  const lost = new MongoNetworkError("read ECONNRESET");
  expect(isDatabaseOutage(new MongoBulkWriteError(lost, NOTHING_DONE))).toBe(true);
});

test("When a bulk write breaks a rule of the database, then that is no outage", () => {
  const duplicate = { message: "E11000 duplicate key", code: 11000, writeErrors: [] };
  expect(isDatabaseOutage(new MongoBulkWriteError(duplicate, NOTHING_DONE))).toBe(false);
});
