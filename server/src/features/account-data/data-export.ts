import type { User } from "../../auth/token-verifier.ts";
import { batchesOf } from "../../db/client.ts";
import { BATCH_SIZE, type OwnDataQueries, type OwnTask } from "./store.ts";

/**
 * Streams everything the product holds about the caller as one JSON object (the contract's `exportSchema`). Left out
 * are internal fields (search grams, keys of notifications and unsubscribe links, when the latest token expires) and data about others: bids on the
 * caller's tasks, authors of reviews, reports about the caller and what became of them, who acted on the caller as an
 * operator, whom the caller acted on as one, and the email addresses of hired freelancers.
 */
export async function* exportData(
  queries: OwnDataQueries,
  { uid, name, email, picture }: User,
  now: Date,
): AsyncGenerator<string> {
  const identity = { uid, name, email, picture };
  const person = { ...identity, ...withoutId(await queries.person(uid)) };
  yield `{${field("exportedAt", now)},${field("person", person)}`;
  yield* list("tasks", queries.tasks(uid), withoutAddress);
  yield* list("bids", queries.bids(uid));
  yield* list("notes", queries.notes(uid));
  yield* list("reviewsWritten", queries.reviewsWritten(uid));
  yield* list("reviewsReceived", queries.reviewsReceived(uid), ({ authorId: _, ...review }) => review);
  yield* list("reports", queries.reports(uid));
  yield* list("questions", queries.questions(uid));
  yield* list("answers", queries.answers(uid), ({ askerId: _, ...question }) => question);
  yield* list("savedTasks", queries.savedTasks(uid));
  yield* list("timeline", queries.timeline(uid), ({ clientId: _c, freelancerId: _f, ...step }) => step);
  yield* list(
    "agreements",
    queries.agreements(uid),
    ({ clientId: _c, freelancerId: _f, ...agreement }) => agreement,
  );
  yield* list(
    "disputes",
    queries.disputes(uid),
    ({ clientId: _c, freelancerId: _f, decisions, ...dispute }) => ({
      ...dispute,
      decisions: decisions.map(({ operatorId: _, ...decision }) => decision),
    }),
  );
  yield* list("invoices", queries.invoices(uid), ({ clientId: _c, freelancerId: _f, ...invoice }) => invoice);
  yield* list("files", queries.files(uid));
  yield* list("savedSearches", queries.savedSearches(uid));
  yield* list(
    "conversations",
    queries.conversations(uid),
    ({ _id, taskId, taskTitle, clientId, blockedBy, createdAt }) => ({
      _id,
      taskId,
      taskTitle,
      role: clientId === uid ? "client" : "freelancer",
      // Whether the caller has blocked the other side.
      blocked: blockedBy.includes(uid),
      createdAt,
    }),
  );
  yield* list("messages", queries.messages(uid));
  yield* list("operatorQueue", queries.queued(uid), ({ key: _key, ...item }) => item);
  yield* list(
    "operatorActs",
    queries.operatorActs(uid),
    ({ operatorId: _id, operatorName: _name, ...act }) => act,
  );
  yield* list(
    "actsAsOperator",
    queries.actsAsOperator(uid),
    ({ personId: _id, personName: _name, ...act }) => act,
  );
  yield* list(
    "notifications",
    queries.notifications(uid),
    ({ actorId: _actor, onceKeys: _keys, ...notification }) => notification,
  );
  yield "}\n";
}

async function* list<T>(
  name: string,
  items: AsyncIterable<T>,
  present: (item: T) => unknown = (item) => item,
): AsyncGenerator<string> {
  yield `,${JSON.stringify(name)}:[`;
  let separator = "\n";
  for await (const batch of batchesOf(items, BATCH_SIZE)) {
    yield separator + batch.map((item) => JSON.stringify(present(item))).join(",\n");
    separator = ",\n";
  }
  yield "]";
}

function field(name: string, value: unknown): string {
  return `${JSON.stringify(name)}:${JSON.stringify(value)}`;
}

function withoutAddress({ award, ...task }: OwnTask): object {
  if (!award) return task;
  const { email: _, ...agreed } = award;
  return { ...task, award: agreed };
}

function withoutId(person: { _id: string } | null): object {
  if (!person) return {};
  const { _id: _, ...known } = person;
  return known;
}
