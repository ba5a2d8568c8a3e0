import { ObjectId } from "mongodb";
import type { User } from "../auth/token-verifier.ts";
import { calendarDate, MAX_INVITED, taskState } from "../contract/index.ts";
import { type Database, isDuplicateKey, READ_LIMITS } from "../db/client.ts";
import type { TaskDoc } from "../db/documents/tasks.ts";
import { notify } from "./notify.ts";
import { suspendedOf } from "./people.ts";
import { ProblemError } from "./problem-error.ts";
import { requireClient, VISIBLE } from "./task-conditions.ts";

/*
 * Invitations to bid. Each is the notification with which its recipient learns of it, so it is erased and exported with
 * it.
 */

/** What makes an invitation the only one of its task and person. */
const keyOf = (taskId: ObjectId) => `invited ${taskId.toHexString()}`;
/** Those that their recipient has not declined. */
const PENDING = { declined: { $exists: false } } as const;

/** How many people are invited to this task. */
export function countInvited({ notifications }: Database, taskId: ObjectId): Promise<number> {
  return notifications.countDocuments({ taskId, kind: "invited" }, { ...READ_LIMITS, hint: "invited" });
}

export async function isInvited(
  { notifications }: Database,
  taskId: ObjectId,
  recipientId: string,
): Promise<boolean> {
  const filter = { recipientId, onceKeys: keyOf(taskId), ...PENDING };
  return (await notifications.findOne(filter, { ...READ_LIMITS, projection: { _id: 1 } })) !== null;
}

/** Invites somebody to the client's task. @returns whether they were neither invited nor have bid before. */
export async function invite(
  database: Database,
  id: string,
  personId: string,
  client: User,
  now: Date,
): Promise<boolean> {
  const { tasks, bids, notifications, transactionOn } = database;
  const _id = new ObjectId(id);
  const task = await tasks.findOne({ _id }, READ_LIMITS);
  requireClient(task, client);
  if (task.hidden || taskState(task, now) !== "open") throw new ProblemError("task-not-open");
  await requireInvitable(database, personId, client.uid);
  const [bid, total] = await Promise.all([
    bids.findOne({ taskId: _id, bidderId: personId }, { ...READ_LIMITS, projection: { _id: 1 } }),
    countInvited(database, _id),
  ]);
  const inviting = transactionOn([_id], async (session) => {
    const invited = { recipientId: personId, onceKeys: keyOf(_id) };
    if (bid || (await notifications.findOne(invited, { session }))) return false;
    // Simultaneous invitations may exceed the limit slightly, which does no harm.
    if (total >= MAX_INVITED) throw new ProblemError("too-many-invited");
    const notice = { recipientId: personId, kind: "invited", task, asClient: false, actor: client } as const;
    await notify(notifications, [{ ...notice, onceKey: keyOf(_id) }], { session, now });
    return true;
  });
  return inviting.catch((error: unknown) => {
    // Another instance has just invited them.
    if (isDuplicateKey(error)) return false;
    throw error;
  });
}

/** @throws {ProblemError} if this client cannot invite this person. */
async function requireInvitable(database: Database, personId: string, clientId: string): Promise<void> {
  const between = { memberIds: { $all: [personId, clientId] }, "blockedBy.0": { $exists: true } };
  const [person, suspended, blocked] = await Promise.all([
    database.people.findOne({ _id: personId }, { ...READ_LIMITS, projection: { notInDirectory: 1 } }),
    suspendedOf(database, [personId]),
    database.conversations.findOne(between, { ...READ_LIMITS, projection: { _id: 1 } }),
  ]);
  if (!person || suspended.has(personId)) throw new ProblemError("person-not-found");
  if (person.notInDirectory || blocked || personId === clientId) throw new ProblemError("cannot-invite");
}

/** @returns whether there was an invitation to decline. */
export function declineInvitation(
  { notifications, write }: Database,
  id: string,
  recipientId: string,
): Promise<boolean> {
  const filter = { recipientId, onceKeys: keyOf(new ObjectId(id)), ...PENDING };
  return write(
    async (options) =>
      (await notifications.updateOne(filter, { $set: { declined: true } }, options)).modifiedCount > 0,
  );
}

/** The open tasks, soonest deadline first, that this person is invited to and has not bid on. */
export async function openInvitations<T extends Pick<TaskDoc, "_id">>(
  { tasks, bids, notifications }: Database,
  recipientId: string,
  now: Date,
  { projection, limit }: { projection: object; limit: number },
): Promise<T[]> {
  const filter = { recipientId, onceKeys: /^invited /, ...PENDING };
  const options = { ...READ_LIMITS, projection: { taskId: 1 }, hint: "once", limit: MAX_CANDIDATES };
  const found = await notifications.find(filter, options).toArray();
  if (found.length === 0) return [];
  const ids = found.map(({ taskId }) => taskId);
  const open = {
    _id: { $in: ids },
    state: "open" as const,
    deadline: { $gte: calendarDate(now) },
    ...VISIBLE,
  };
  const [invited, own] = await Promise.all([
    tasks.find<T>(open, { ...READ_LIMITS, projection, hint: "_id_", sort: { deadline: 1 } }).toArray(),
    bids
      .find({ taskId: { $in: ids }, bidderId: recipientId }, { ...READ_LIMITS, projection: { taskId: 1 } })
      .toArray(),
  ]);
  return invited.filter(({ _id }) => !own.some(({ taskId }) => taskId.equals(_id))).slice(0, limit);
}

/** How many invitations are searched for open tasks. */
const MAX_CANDIDATES = 100;
