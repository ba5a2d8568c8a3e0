import { stringify } from "csv-stringify/sync";
import type { User } from "../../auth/token-verifier.ts";
import { concernsFreelancers, TASK_FIELD_NAMES, TASK_FIELDS, taskState } from "../../contract/index.ts";
import { batchesOf, type Database } from "../../db/client.ts";
import { type BidDoc, bidState } from "../../db/documents/bids.ts";
import type { TaskDoc } from "../../db/documents/tasks.ts";
import { paymentOf } from "../../domain/payments.ts";
import { withNames } from "../../domain/people.ts";
import { agreedFor, shownState, titleFor } from "../../domain/task-conditions.ts";
import { BATCH_SIZE, ownBids, ownTasks } from "./data-export.ts";

/** The caller's tasks as CSV, newest first. Money in USD, instants in ISO 8601 (UTC). */
export function tasksAsCsv(database: Database, caller: User, now: Date): AsyncIterable<string> {
  const columns: Columns<TaskDoc> = [
    ...TASK_FIELD_NAMES.filter(concernsFreelancers).map(
      (field) => [TASK_FIELDS[field].label, (task: TaskDoc) => cellOf(task[field])] as const,
    ),
    ["State", (task) => taskState(task, now)],
    ["Bids", ({ bidsCount }) => bidsCount],
    ["Awarded to", ({ award }) => award?.name],
    ["Agreed price (USD)", ({ award }) => award?.amount],
    ["Agreed date", (task) => agreedFor(task, caller.uid)?.due],
    ...paymentColumns<TaskDoc>(paymentOf),
    ["Posted", ({ createdAt }) => createdAt.toISOString()],
  ];
  return csvOf(columns, rows());

  async function* rows(): AsyncGenerator<TaskDoc[]> {
    for await (const batch of batchesOf(ownTasks(database, caller.uid), BATCH_SIZE))
      yield withNames(database, batch);
  }
}

/** The caller's bids with their tasks as CSV, newest first; units as in {@link tasksAsCsv}. */
export function bidsAsCsv(database: Database, caller: User, now: Date): AsyncIterable<string> {
  const columns: Columns<BidRow> = [
    ["Task", ({ task }) => titleFor(task, caller.uid)],
    ["Category", ({ task }) => task.category],
    ["Client", ({ task }) => task.name],
    ["Task state", ({ task }) => shownState(task, caller.uid, now)],
    ["Deadline", ({ task }) => task.deadline],
    ["Budget (USD)", ({ task }) => task.budget],
    ["My bid (USD)", ({ bid }) => bid.amount],
    ["Days", ({ bid }) => bid.days],
    ["Bid state", ({ bid, task }) => bidState(bid, task)],
    ["Agreed price (USD)", ({ bid, task }) => awardFor(bid, task)?.amount],
    ["Agreed date", ({ task }) => agreedFor(task, caller.uid)?.due],
    ["Agreed", ({ bid, task }) => awardFor(bid, task)?.at.toISOString()],
    ...paymentColumns<BidRow>(({ bid, task }) => awardFor(bid, task) && paymentOf(task)),
    ["Placed", ({ bid }) => bid.createdAt.toISOString()],
    ["Changed", ({ bid }) => (bid.updatedAt > bid.createdAt ? bid.updatedAt.toISOString() : undefined)],
    ["Message", ({ bid }) => bid.message],
    ["Question", ({ bid }) => bid.question],
    ["Answer", ({ bid }) => bid.answer],
  ];
  return csvOf(columns, rows());

  async function* rows(): AsyncGenerator<BidRow[]> {
    for await (const batch of batchesOf(ownBids(database, caller.uid), BATCH_SIZE)) {
      const ids = batch.map(({ taskId }) => taskId);
      const found = await database.tasks.find({ _id: { $in: ids } }).toArray();
      const tasks = await withNames(database, found);
      // If a task was deleted in the meantime, its bids were too.
      yield batch.flatMap((bid) => {
        const task = tasks.find(({ _id }) => _id.equals(bid.taskId));
        return task ? [{ bid, task }] : [];
      });
    }
  }
}

type BidRow = { bid: BidDoc; task: TaskDoc };

/** The task's award if this bid won it, even if the task was cancelled afterwards. */
function awardFor(bid: BidDoc, { award }: TaskDoc): TaskDoc["award"] {
  return award?.bidId.equals(bid._id) ? award : undefined;
}

/** What the two sides said about the payment. */
function paymentColumns<Row>(said: (row: Row) => TaskDoc["payment"]): Columns<Row> {
  return [
    ["Payment", (row) => said(row)?.state],
    ["Payment changed", (row) => said(row)?.at.toISOString()],
    ["Payment reference", (row) => said(row)?.reference],
  ];
}

const cellOf = (value: Cell | string[]): Cell => (Array.isArray(value) ? value.join(", ") : value);

type Cell = string | number | boolean | undefined;

/** Header and value of each column, in order. */
type Columns<Row> = readonly (readonly [header: string, value: (row: Row) => Cell])[];

// A lone CR or LF needs quotes too: parsers differ in what ends a line.
const LINE_BREAK = /[\r\n]/;
/** Without it, Excel reads the file in the local code page. */
const BYTE_ORDER_MARK = "\uFEFF";

/**
 * Writes rows as CSV (RFC 4180: commas, CRLF, quotes doubled), in UTF-8 with a byte order mark. Texts that a
 * spreadsheet would run as a formula (they begin with = + - @, tab or CR) get a leading apostrophe, because titles and
 * names may come from an attacker.
 */
export async function* csvOf<Row>(
  columns: Columns<Row>,
  batches: AsyncIterable<readonly Row[]>,
): AsyncGenerator<string> {
  yield BYTE_ORDER_MARK + linesOf([columns.map(([header]) => header)]);
  for await (const batch of batches)
    yield linesOf(batch.map((row) => columns.map(([, value]) => value(row))));
}

function linesOf(records: Cell[][]): string {
  return stringify(records, {
    record_delimiter: "windows",
    quoted_match: LINE_BREAK,
    escape_formulas: true,
    cast: { boolean: (value) => (value ? "yes" : "no") },
  });
}
