import { type ClientSession, type Filter, ObjectId } from "mongodb";
import type { User } from "../../auth/token-verifier.ts";
import { calendarDate, type InvoiceDraft } from "../../contract/index.ts";
import { type Database, READ_LIMITS } from "../../db/client.ts";
import type { InvoiceDoc } from "../../db/documents/invoices.ts";
import type { AwardDoc, TaskDoc } from "../../db/documents/tasks.ts";
import { notify } from "../../domain/notify.ts";
import { ProblemError } from "../../domain/problem-error.ts";
import { canSee, inStatesFor, requireSide } from "../../domain/task-conditions.ts";
import { nameOf } from "./rules.ts";

const TASK = { title: 1, ownerId: 1, state: 1, award: 1, hidden: 1 } as const;
type Task = Pick<TaskDoc, "_id" | keyof typeof TASK>;

/** Invoices of freelancers for completed tasks. Each is numbered in the transaction that writes it, so no number is left out. */
export function invoiceStore(database: Database) {
  const { tasks, invoices, people, notifications, transactionOn } = database;

  /** Checks that the caller is one of the two sides, and returns those invoices between them. */
  async function find(id: string, caller: User, filter: Filter<InvoiceDoc> = {}): Promise<InvoiceDoc[]> {
    const taskId = new ObjectId(id);
    const task = await tasks.findOne<Task>({ _id: taskId }, { projection: TASK, ...READ_LIMITS });
    const side = requireSide(task, caller);
    const own = { ...filter, taskId, [`${side}Id`]: caller.uid };
    return invoices.find(own, { sort: { number: 1 }, ...READ_LIMITS, hint: "task" }).toArray();
  }

  /** Numbers and stores what `create` makes of the completed task that the caller was hired for. */
  function write(
    id: string,
    caller: User,
    now: Date,
    milestone: number | undefined,
    create: (
      task: Task & { award: AwardDoc },
      session: ClientSession,
    ) => Promise<Omit<InvoiceDoc, "_id" | "number">>,
  ): Promise<string> {
    const _id = new ObjectId(id);
    return transactionOn([_id], async (session) => {
      const options = { session, projection: TASK };
      const action = milestone === undefined ? "invoice" : "settle-milestone";
      const hired = {
        _id,
        "award.freelancerId": caller.uid,
        ...inStatesFor(action, calendarDate(now)),
        ...(milestone !== undefined && { "award.accepted": { $gt: milestone } }),
      };
      // Written, so that two invoices at the same time collide, and open pages notice.
      const task = await tasks.findOneAndUpdate(hired, { $inc: { revision: 1 } }, options);
      if (!task?.award) {
        const found = await tasks.findOne<Task>({ _id }, options);
        if (!found || !canSee(found, caller)) throw new ProblemError("task-not-found");
        if (found.award?.freelancerId !== caller.uid) throw new ProblemError("not-hired");
        throw new ProblemError("wrong-state", {
          detail: "An invoice can be written once the task is completed, or the milestone accepted.",
        });
      }
      const draft = await create({ ...task, award: task.award }, session);
      const counted = { $inc: { invoices: 1 } } as const;
      const person = await people.findOneAndUpdate({ _id: caller.uid }, counted, {
        ...{ session, returnDocument: "after", projection: { invoices: 1 } },
      });
      // They were recorded when they bid.
      if (!person?.invoices) throw new ProblemError("person-not-found");
      const invoice = { _id: new ObjectId(), number: person.invoices, ...draft };
      await invoices.insertOne(invoice, { session });
      const notice = {
        kind: "invoice",
        recipientId: task.ownerId,
        asClient: true,
        task,
        actor: caller,
      } as const;
      await notify(notifications, [{ ...notice, text: nameOf(invoice) }], { session, now });
      return invoice._id.toHexString();
    });
  }

  return {
    list: find,

    /** One invoice of the task. @throws {ProblemError} `invoice-not-found`. */
    async read(id: string, invoiceId: string, caller: User): Promise<InvoiceDoc> {
      const [invoice] = await find(id, caller, { _id: new ObjectId(invoiceId) });
      if (!invoice) throw new ProblemError("invoice-not-found");
      return invoice;
    },

    /** The freelancer's latest invoice. */
    latest: (freelancerId: string): Promise<InvoiceDoc | null> =>
      invoices.findOne({ freelancerId }, { sort: { number: -1 }, ...READ_LIMITS, hint: "one-per-number" }),

    /** Writes the task's invoice. @throws {ProblemError} `wrong-state` if it has one that is not credited. */
    write: (id: string, caller: User, draft: InvoiceDraft, now: Date): Promise<string> =>
      write(id, caller, now, draft.milestone, async ({ _id: taskId, ownerId, title, award }, session) => {
        const { milestone } = draft;
        const part = milestone === undefined ? undefined : award.milestones?.[milestone];
        if (award.milestones && !part)
          throw new ProblemError("wrong-state", { detail: "Say which milestone this invoice is for." });
        const valid = {
          ...{ taskId, credits: { $exists: false }, credited: { $exists: false } },
          milestone: milestone ?? { $exists: false },
        };
        if (await invoices.findOne(valid, { session }))
          throw new ProblemError("wrong-state", {
            detail: "Cancel the earlier invoice with a credit note first.",
          });
        const person = await people.findOne({ _id: caller.uid }, { session, projection: { payment: 1 } });
        const parties = { taskId, clientId: ownerId, freelancerId: caller.uid };
        const about = part
          ? { title: `${title}: ${part.name}`, total: part.amount }
          : { title, total: award.amount };
        return { ...parties, ...draft, ...about, payment: person?.payment, createdAt: now };
      }),

    /** Cancels an invoice with a credit note. @throws {ProblemError} `invoice-not-found` or `wrong-state`. */
    async credit(id: string, invoiceId: string, caller: User, now: Date): Promise<string> {
      const own = { _id: new ObjectId(invoiceId), taskId: new ObjectId(id), freelancerId: caller.uid };
      const { milestone } = (await invoices.findOne(own, READ_LIMITS)) ?? {};
      return write(id, caller, now, milestone, async (_, session) => {
        const invoice = await invoices.findOneAndUpdate(own, { $set: { credited: true } }, { session });
        if (!invoice) throw new ProblemError("invoice-not-found");
        const { _id, number, credited, credits, ...document } = invoice;
        if (credited || credits)
          throw new ProblemError("wrong-state", { detail: "This is cancelled already." });
        return { ...document, credits: number, createdAt: now };
      });
    },
  };
}
