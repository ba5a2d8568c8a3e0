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

test("When a lost connection ends a bulk write, then that is an outage", () => {
  const lost = new MongoNetworkError("read ECONNRESET");
  expect(isDatabaseOutage(new MongoBulkWriteError(lost, NOTHING_DONE))).toBe(true);
});

test("When a bulk write violates a unique index, then that is not an outage", () => {
  const duplicate = { message: "E11000 duplicate key", code: 11000, writeErrors: [] };
  expect(isDatabaseOutage(new MongoBulkWriteError(duplicate, NOTHING_DONE))).toBe(false);
});

/** An error of the server with this code and label. */
function serverError(code: number, label?: string): MongoServerError {
  const error = new MongoServerError({ message: "test", code });
  if (label) error.addErrorLabel(label);
  return error;
}

test.each([
  ["the server is shutting down", serverError(91)],
  ["the primary has stepped down", serverError(10107)],
  ["an operation took too long", serverError(50)],
  ["a transaction may be retried", serverError(251, MongoErrorLabel.TransientTransactionError)],
  ["a write may be retried", serverError(1, MongoErrorLabel.RetryableWriteError)],
  ["the pool is exhausted", new MongoDriverError("timed out while checking out a connection")],
  ["a request ran out of time", new DatabaseBusy("late")],
  ["a connection ended as it was written to", Object.assign(new Error("ended"), { code: "EPIPE" })],
])("When an error says that %s, then that is an outage", (_, error) => {
  expect(isDatabaseOutage(error)).toBe(true);
});

test.each([
  ["a document is invalid", serverError(121)],
  ["a key is a duplicate", serverError(11000, "SomeOtherLabel")],
  ["the driver is misused", new MongoAPIError("wrong")],
  ["the driver has a bug", new MongoRuntimeError("wrong")],
  ["a connection string is invalid", new MongoParseError("wrong")],
  ["the product has a bug", new TypeError("x is undefined")],
  ["nothing", undefined],
])("When an error says that %s, then that is not an outage", (_, error) => {
  expect(isDatabaseOutage(error)).toBe(false);
});
