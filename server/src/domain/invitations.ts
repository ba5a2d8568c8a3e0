import type { ObjectId } from "mongodb";
import type { User } from "../auth/token-verifier.ts";
import { calendarDate, MAX_INVITED, taskState } from "../contract/index.ts";
import { type Database, isDuplicateKey, joined } from "../db/client.ts";
import type { NotificationDoc } from "../db/documents/notifications.ts";
import type { PersonDoc } from "../db/documents/people.ts";
import { SHOWN_TASK, type TaskDoc } from "../db/documents/tasks.ts";
import { notify } from "./notify.ts";
import { ProblemError } from "./problem-error.ts";
import { requireClient, VISIBLE } from "./task-conditions.ts";

/*
 * Invitations to bid. Each is the notification with which its recipient learns of it, so it is erased and exported with
 * it.
 */

/** What makes an invitation the only one of its task and person. */
const keyOf = (taskId: ObjectId) => `invited ${taskId}`;
/** Those that their recipient has not declined. */
const PENDING = { declined: { $exists: false } } as const;

/** Filter for the invitations to a task, of which there are few. */
export const invitationsTo = (taskId: ObjectId) => ({ taskId, kind: "invited" as const });

/** What inviting somebody to a task depends on. */
type Invitation = TaskDoc & {
  people: PersonDoc[];
  suspensions: object[];
  conversations: object[];
  bids: object[];
  notifications: NotificationDoc[];
};

/** Invites somebody to the client's task. @returns whether they were neither invited nor have bid before. */
export async function invite(
  { tasks, notifications, transactionOn }: Database,
  _id: ObjectId,
  personId: string,
  client: User,
  now: Date,
): Promise<boolean> {
  const blocking = { memberIds: { $all: [personId, client.uid] }, "blockedBy.0": { $exists: true } };
  const plan = [
    { $match: { _id } },
    joined("people", { _id: personId }),
    joined("suspensions", { _id: personId, liftedAt: null }),
    joined("conversations", blocking),
    joined("bids", { taskId: _id, bidderId: personId }),
    joined("notifications", invitationsTo(_id)),
  ];
  const [task = null] = await tasks.aggregate<Invitation>(plan).toArray();
  requireClient(task, client);
  if (task.hidden || taskState(task, now) !== "open") throw new ProblemError("task-not-open");
  const [person] = task.people;
  if (!person || task.suspensions.length > 0) throw new ProblemError("person-not-found");
  if (person.notInDirectory || task.conversations.length > 0 || personId === client.uid)
    throw new ProblemError("cannot-invite");
  const isInvited = task.notifications.some(({ recipientId }) => recipientId === personId);
  const notice = { recipientId: personId, kind: "invited", task, asClient: false, actor: client } as const;
  const inviting = transactionOn(_id, async () => {
    if (isInvited || task.bids.length > 0) return false;
    // Simultaneous invitations may exceed the limit slightly, which does no harm.
    if (task.notifications.length >= MAX_INVITED) throw new ProblemError("too-many-invited");
    return (await notify(notifications, [{ ...notice, onceKey: keyOf(_id) }], now)) > 0;
  });
  return inviting.catch((error: unknown) => {
    // Another instance has just invited them.
    if (isDuplicateKey(error)) return false;
    throw error;
  });
}

/** @returns whether there was an invitation to decline. */
export function declineInvitation(
  { notifications, write }: Database,
  taskId: ObjectId,
  recipientId: string,
): Promise<boolean> {
  const filter = { recipientId, onceKeys: keyOf(taskId), ...PENDING };
  return write(
    async () => (await notifications.updateOne(filter, { $set: { declined: true } })).modifiedCount > 0,
  );
}

/** The open tasks, soonest deadline first, that this person is invited to and has not bid on. */
export async function openInvitations(
  { tasks, bids, notifications }: Database,
  recipientId: string,
  now: Date,
  limit: number,
): Promise<TaskDoc[]> {
  const filter = { recipientId, onceKeys: /^invited /, ...PENDING };
  // The newest: those of tasks that are long closed stay until they are forgotten.
  const found = await notifications
    .find(filter, { sort: { _id: -1 }, limit: MAX_CANDIDATES, projection: { taskId: 1 }, hint: "once" })
    .toArray();
  if (found.length === 0) return [];
  const ids = found.map(({ taskId }) => taskId);
  const open = {
    _id: { $in: ids },
    state: "open" as const,
    deadline: { $gte: calendarDate(now) },
    ...VISIBLE,
  };
  const [invited, own] = await Promise.all([
    tasks.find(open, { projection: SHOWN_TASK, hint: "_id_", sort: { deadline: 1 } }).toArray(),
    bids.find({ taskId: { $in: ids }, bidderId: recipientId }, { projection: { taskId: 1 } }).toArray(),
  ]);
  return invited.filter(({ _id }) => !own.some(({ taskId }) => taskId.equals(_id))).slice(0, limit);
}

/** How many invitations are searched for open tasks. */
const MAX_CANDIDATES = 100;
