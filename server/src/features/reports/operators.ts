import * as z from "zod/mini";
import type { OperatorAct, PageQuery, QueueItem, QueueQuery } from "../../contract/index.ts";
import type { OperatorActDoc, QueueItemDoc } from "../../db/documents/operators.ts";
import { isFormerMember } from "../../db/notices.ts";
import {
  cutPage,
  idKey,
  instantKey,
  newestFirstKey,
  newestFirstKeyOf,
  pageLimit,
  readCursor,
  writeCursor,
} from "../../http/pagination.ts";
import type { OperatorStore } from "./operator-store.ts";
import { type IsSuspended, presentSubjects, type Subject } from "./present-subject.ts";
import type { ReportStore } from "./report-store.ts";

type Deps = { store: ReportStore; operators: OperatorStore; isSuspended: IsSuspended };

const placeSchema = z.tuple([z.enum(["unsettled", "settled"]), instantKey, idKey]);

/**
 * Lists the operators' queue, each item with its subject: unsettled ones first, then newest first.
 * @throws {ProblemError} `invalid-cursor`.
 */
export async function listQueue(
  { store, operators, isSuspended }: Deps,
  query: QueueQuery,
): Promise<{ items: QueueItem[]; next: string | undefined }> {
  const { state, kind } = query;
  const limit = pageLimit(query);
  const list = `operators' queue ${state} ${kind}`;
  const place = readCursor(list, query.cursor, placeSchema);
  const after = place && { settled: place[0] === "settled", place: [place[1], place[2]] as const };
  const { page, last } = cutPage(await operators.listQueue({ state, kind, after, limit: limit + 1 }), limit);
  const subjectOf = await presentSubjects(store, page, isSuspended);
  return {
    items: page.map((item) => presentItem(item, subjectOf(item))),
    next: last && writeCursor(list, [last.settled ? "settled" : "unsettled", ...newestFirstKeyOf(last)]),
  };
}

function presentItem(
  { _id, kind, note, taskId, settled, createdAt }: QueueItemDoc,
  subject: Subject,
): QueueItem {
  return {
    _id: _id.toHexString(),
    kind,
    note,
    taskId: taskId.toHexString(),
    ...subject,
    settled,
    createdAt: createdAt.toISOString(),
  };
}

/** Reads the log of operators' acts, newest first. @throws {ProblemError} `invalid-cursor`. */
export async function readLog(
  { operators, isSuspended }: Pick<Deps, "operators" | "isSuspended">,
  query: PageQuery,
): Promise<{ acts: OperatorAct[]; next: string | undefined }> {
  const list = "operators' log";
  const limit = pageLimit(query);
  const after = readCursor(list, query.cursor, newestFirstKey);
  const { page, last } = cutPage(await operators.readLog({ after, limit: limit + 1 }), limit);
  return {
    acts: await Promise.all(page.map((act) => presentAct(act, isSuspended))),
    next: last && writeCursor(list, newestFirstKeyOf(last)),
  };
}

async function presentAct(act: OperatorActDoc, isSuspended: IsSuspended): Promise<OperatorAct> {
  const { _id, kind, operatorName, personId, personName, taskId, taskTitle, reason, text, createdAt } = act;
  const hasAccount = personId !== undefined && !isFormerMember(personId);
  return {
    _id: _id.toHexString(),
    kind,
    operator: operatorName,
    ...(personName && {
      person: {
        name: personName,
        ...(hasAccount && { id: personId, suspended: (await isSuspended(personId)) || undefined }),
      },
    }),
    ...(taskId && taskTitle && { task: { id: taskId.toHexString(), title: taskTitle } }),
    reason,
    text,
    createdAt: createdAt.toISOString(),
  };
}
