import {
  MongoAPIError,
  MongoBulkWriteError,
  MongoClientClosedError,
  MongoDriverError,
  MongoErrorLabel,
  MongoExpiredSessionError,
  MongoNetworkError,
  MongoNotConnectedError,
  MongoParseError,
  MongoRuntimeError,
  MongoServerError,
  MongoServerSelectionError,
  MongoTopologyClosedError,
  MongoWriteConcernError,
} from "mongodb";

/** The database responds, but could not finish this work in time. */
export class DatabaseBusy extends Error {
  override name = "DatabaseBusy";
}

const OUTAGES = [
  DatabaseBusy,
  MongoNetworkError,
  MongoServerSelectionError,
  MongoWriteConcernError,
  MongoNotConnectedError,
  MongoTopologyClosedError,
  MongoClientClosedError,
  MongoExpiredSessionError,
];

// Codes of a server that is stopping, stepping down or too slow (mongodb/src/mongo/base/error_codes.yml).
const OUTAGE_CODES = new Set<unknown>([
  6, 7, 24, 50, 89, 91, 112, 189, 202, 262, 9001, 10107, 11600, 11602, 13435, 13436,
]);

/**
 * True if the database is unavailable and a later attempt may succeed; false for bugs. Decided by class and code, never
 * by name, because the driver renames its subclasses between versions.
 */
export function isDatabaseOutage(error: unknown): boolean {
  if (OUTAGES.some((outage) => error instanceof outage)) return true;
  const wrapped = error instanceof MongoBulkWriteError && error.errorResponse;
  // A bulk write (such as insertMany) wraps the error that ended it in a server error.
  if (wrapped instanceof Error) return isDatabaseOutage(wrapped);
  if (error instanceof MongoServerError) {
    return (
      OUTAGE_CODES.has(error.code) ||
      error.hasErrorLabel(MongoErrorLabel.TransientTransactionError) ||
      error.hasErrorLabel(MongoErrorLabel.RetryableWriteError)
    );
  }
  return isExhaustedPool(error) || isClosedSocket(error);
}

// Node refuses to write to a connection that the database has just ended; the driver passes that error on as it is.
function isClosedSocket(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "EPIPE";
}

// The driver does not export its pool errors: they are the driver errors that are neither misuse nor a bug.
function isExhaustedPool(error: unknown): boolean {
  if (!(error instanceof MongoDriverError)) return false;
  return ![MongoAPIError, MongoRuntimeError, MongoParseError].some((bug) => error instanceof bug);
}
