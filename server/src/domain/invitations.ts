import { ObjectId } from "mongodb";
import type { User } from "../auth/token-verifier.ts";
import { calendarDate, MAX_INVITED, taskState } from "../contract/index.ts";
import { type Database, isDuplicateKey, READ_LIMITS } from "../db/client.ts";
import type { TaskDoc } from "../db/documents/tasks.ts";
import { notify } from "./notify.ts";
import { suspendedOf } from "./people.ts";
import { ProblemError } from "./problem-error.ts";
import { requireClient, VISIBLE } from "./task-conditions.ts";

const TASK = { ownerId: 1, title: 1, state: 1, deadline: 1, hidden: 1, award: 1 } as const;
type InvitedTask = Pick<TaskDoc, "_id" | keyof typeof TASK>;

export type Invitations = ReturnType<typeof invitations>;

/** What makes an invitation the only one of its task and person. */
const keyOf = (taskId: ObjectId) => `invited ${taskId.toHexString()}`;

/** Invitations to bid. Each is the notification with which its recipient learns of it, so it is erased and exported with it. */
export function invitations(database: Database) {
  const { tasks, bids, people, conversations, notifications, transactionOn, write } = database;
  const count = (taskId: ObjectId) =>
    notifications.countDocuments({ taskId, kind: "invited" }, { ...READ_LIMITS, hint: "invited" });

  /** @throws {ProblemError} if this client cannot invite this person. */
  async function requireInvitable(personId: string, clientId: string): Promise<void> {
    const [person, suspended, blocked] = await Promise.all([
      people.findOne({ _id: personId }, { ...READ_LIMITS, projection: { notInDirectory: 1 } }),
      suspendedOf(database, [personId]),
      conversations.findOne(
        { memberIds: { $all: [personId, clientId] }, "blockedBy.0": { $exists: true } },
        { ...READ_LIMITS, projection: { _id: 1 } },
      ),
    ]);
    if (!person || suspended.has(personId)) throw new ProblemError("person-not-found");
    if (person.notInDirectory || blocked || personId === clientId) throw new ProblemError("cannot-invite");
  }

  return {
    async invite(id: string, personId: string, client: User, now: Date): Promise<boolean> {
      const _id = new ObjectId(id);
      const task = await tasks.findOne<InvitedTask>({ _id }, { ...READ_LIMITS, projection: TASK });
      if (!task) throw new ProblemError("task-not-found");
      requireClient(task, client);
      if (task.hidden || taskState(task, now) !== "open") throw new ProblemError("task-not-open");
      await requireInvitable(personId, client.uid);
      const [bid, total] = await Promise.all([
        bids.findOne({ taskId: _id, bidderId: personId }, { ...READ_LIMITS, projection: { _id: 1 } }),
        count(_id),
      ]);
      const notice = {
        recipientId: personId,
        kind: "invited",
        task,
        asClient: false,
        actor: client,
      } as const;
      const inviting = transactionOn([_id], async (session) => {
        const invited = { recipientId: personId, onceKeys: keyOf(_id) };
        if (bid || (await notifications.findOne(invited, { session }))) return false;
        // Simultaneous invitations may exceed the limit slightly, which does no harm.
        if (total >= MAX_INVITED) throw new ProblemError("too-many-invited");
        await notify(notifications, [{ ...notice, onceKey: keyOf(_id) }], { session, now });
        return true;
      });
      return inviting.catch((error: unknown) => {
        // Another instance has just invited them.
        if (isDuplicateKey(error)) return false;
        throw error;
      });
    },

    /** @returns whether there was one. */
    decline(id: string, recipientId: string): Promise<boolean> {
      const filter = { recipientId, onceKeys: keyOf(new ObjectId(id)), declined: { $exists: false } };
      return write(async (options) => {
        const { modifiedCount } = await notifications.updateOne(
          filter,
          { $set: { declined: true } },
          options,
        );
        return modifiedCount > 0;
      });
    },

    count,

    async isInvited(taskId: ObjectId, recipientId: string): Promise<boolean> {
      const filter = { recipientId, onceKeys: keyOf(taskId), declined: { $exists: false } };
      return (await notifications.findOne(filter, { ...READ_LIMITS, projection: { _id: 1 } })) !== null;
    },

    /** The open tasks, soonest deadline first, that this person is invited to and has not bid on. */
    async openTasks<T extends Pick<TaskDoc, "_id">>(
      recipientId: string,
      now: Date,
      { projection, limit }: { projection: object; limit: number },
    ): Promise<T[]> {
      const filter = { recipientId, onceKeys: /^invited /, declined: { $exists: false } };
      const found = await notifications
        .find<{ taskId: ObjectId }>(filter, {
          ...READ_LIMITS,
          projection: { taskId: 1 },
          hint: "once",
          limit: MAX_CANDIDATES,
        })
        .toArray();
      if (found.length === 0) return [];
      const ids = found.map(({ taskId }) => taskId);
      const [open, own] = await Promise.all([
        tasks
          .find<T>(
            { _id: { $in: ids }, state: "open", deadline: { $gte: calendarDate(now) }, ...VISIBLE },
            { ...READ_LIMITS, projection, hint: "_id_", sort: { deadline: 1 } },
          )
          .toArray(),
        bids
          .find(
            { taskId: { $in: ids }, bidderId: recipientId },
            { ...READ_LIMITS, projection: { taskId: 1 } },
          )
          .toArray(),
      ]);
      return open.filter(({ _id }) => !own.some(({ taskId }) => taskId.equals(_id))).slice(0, limit);
    },
  };
}

/** How many invitations are searched for open tasks. */
const MAX_CANDIDATES = 100;
