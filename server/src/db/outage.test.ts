import {
  type BulkWriteResult,
  MongoAPIError,
  MongoBulkWriteError,
  MongoDriverError,
  MongoErrorLabel,
  MongoNetworkError,
  MongoParseError,
  MongoRuntimeError,
  MongoServerError,
} from "mongodb";
import { expect, test } from "vitest";
import { DatabaseBusy, isDatabaseOutage } from "./outage.ts";

const NOTHING_DONE = {} as BulkWriteResult;

test("When a lost connection ends a bulk write, then that is an outage and no bug", () => {
  const lost = new MongoNetworkError("read ECONNRESET");
  expect(isDatabaseOutage(new MongoBulkWriteError(lost, NOTHING_DONE))).toBe(true);
});

test("When a bulk write breaks a rule of the database, then that is no outage", () => {
  const duplicate = { message: "E11000 duplicate key", code: 11000, writeErrors: [] };
  expect(isDatabaseOutage(new MongoBulkWriteError(duplicate, NOTHING_DONE))).toBe(false);
});

/** What the database says, with that code and label. */
function said(code: number, label?: string): MongoServerError {
  const error = new MongoServerError({ message: "said", code });
  if (label) error.addErrorLabel(label);
  return error;
}

test.each([
  ["it stops", said(91)],
  ["it steps down", said(10107)],
  ["it took too long", said(50)],
  ["a transaction may be tried again", said(251, MongoErrorLabel.TransientTransactionError)],
  ["a write may be tried again", said(1, MongoErrorLabel.RetryableWriteError)],
  ["its pool is exhausted", new MongoDriverError("timed out while checking out a connection")],
  ["a request ran out of time", new DatabaseBusy("late")],
])("When the database says that %s, then that is an outage", (_, error) => {
  expect(isDatabaseOutage(error)).toBe(true);
});

test.each([
  ["a rule is broken", said(121)],
  ["a key is there already", said(11000, "SomeOtherLabel")],
  ["it is used wrongly", new MongoAPIError("wrong")],
  ["something in it is wrong", new MongoRuntimeError("wrong")],
  ["an address cannot be read", new MongoParseError("wrong")],
  ["the product has a bug", new TypeError("x is undefined")],
  ["nothing", undefined],
])("When an error says that %s, then trying later does not help", (_, error) => {
  expect(isDatabaseOutage(error)).toBe(false);
});
