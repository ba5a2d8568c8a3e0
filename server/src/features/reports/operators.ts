import type { OperatorAct, QueueItem, QueueQuery } from "../../contract/index.ts";
import type { OperatorActDoc, QueueItemDoc } from "../../db/documents/operators.ts";
import { isFormerMember } from "../../domain/notify.ts";
import { newestFirst, type PageCall, readPage, unmarkedFirstBy } from "../../http/pagination.ts";
import type { OperatorStore } from "./operator-store.ts";
import { presentSubjects, type Subject } from "./present-subject.ts";
import type { ReportStore } from "./store.ts";

type Deps = { store: ReportStore; operators: OperatorStore };

/**
 * Lists the operators' queue, each item with its subject: unsettled ones first, then newest first.
 * @throws {ProblemError} `invalid-cursor`.
 */
export async function listQueue(
  { store, operators }: Deps,
  call: PageCall<QueueQuery>,
): Promise<QueueItem[]> {
  const { state, kind } = call.query;
  const page = await readPage(call, {
    list: `operators' queue ${state} ${kind}`,
    order: unmarkedFirstBy("settled"),
    read: (start) => operators.listQueue({ state, kind }, start),
  });
  const subjectOf = await presentSubjects(store, page);
  return page.map((item) => presentItem(item, subjectOf(item)));
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
export async function readLog({ store, operators }: Deps, call: PageCall): Promise<OperatorAct[]> {
  const page = await readPage(call, {
    list: "operators' log",
    order: newestFirst,
    read: operators.readLog,
  });
  const suspended = await store.suspendedOf(page.flatMap(({ personId }) => personId ?? []));
  return page.map((act) => presentAct(act, suspended));
}

function presentAct(act: OperatorActDoc, suspended: ReadonlySet<string>): OperatorAct {
  const { _id, kind, operatorName, personId, personName, taskId, taskTitle, reason, text, createdAt } = act;
  const hasAccount = personId !== undefined && !isFormerMember(personId);
  return {
    _id: _id.toHexString(),
    kind,
    operator: operatorName,
    person: personName
      ? {
          name: personName,
          ...(hasAccount && { id: personId, suspended: suspended.has(personId) || undefined }),
        }
      : undefined,
    task: taskId && taskTitle ? { id: taskId.toHexString(), title: taskTitle } : undefined,
    reason,
    text,
    createdAt: createdAt.toISOString(),
  };
}
