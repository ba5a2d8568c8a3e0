import { type Filter, ObjectId } from "mongodb";
import type { User } from "../../auth/token-verifier.ts";
import type { Context } from "../../context.ts";
import { calendarDate, isOpen } from "../../contract/index.ts";
import { invoiceEndpoints, invoiceSchema } from "../../contract/invoice.ts";
import type { InvoiceDoc } from "../../db/documents/invoices.ts";
import type { AwardDoc, TaskDoc } from "../../db/documents/tasks.ts";
import { notifySide } from "../../domain/notify.ts";
import { pdfOf } from "../../domain/pdf.ts";
import { pick } from "../../domain/present.ts";
import { invalid, ProblemError, wrongState } from "../../domain/problem-error.ts";
import { inStatesFor, requireHired, requireSide } from "../../domain/task-conditions.ts";
import type { Api } from "../../http/mount.ts";
import { sendPdf } from "../../http/response-body.ts";
import { invoiceParts, nameOf } from "./rules.ts";

/** Invoices and credit notes of freelancers, as data and as documents. */
export function invoiceRoutes(api: Api, { database }: Context): void {
  const { tasks, invoices, people, transactionOn } = database;

  /** Checks that the caller is one of the two sides, and returns those invoices between them, with the client's uid. */
  async function find(taskId: ObjectId, caller: User, filter: Filter<InvoiceDoc> = {}) {
    const { task, side } = requireSide(await tasks.findOne({ _id: taskId }), caller);
    const own = { ...filter, taskId, [`${side}Id`]: caller.uid };
    return { found: await invoices.find(own, { sort: { number: 1 } }).toArray(), clientId: task.ownerId };
  }

  /**
   * Stores what `create` makes of the completed task that the caller was hired for. It is numbered in the transaction that
   * writes it, so no number is left out.
   */
  function write(
    _id: ObjectId,
    caller: User,
    now: Date,
    milestone: number | undefined,
    create: (task: TaskDoc & { award: AwardDoc }) => Promise<Omit<InvoiceDoc, "_id" | "number">>,
  ): Promise<ObjectId> {
    return transactionOn(_id, async () => {
      const action = milestone === undefined ? "invoice" : "settle-milestone";
      const hired = {
        _id,
        "award.freelancerId": caller.uid,
        ...inStatesFor(action, calendarDate(now)),
        ...(milestone !== undefined && { "award.accepted": { $gt: milestone } }),
      };
      // Written, so that two invoices at the same time collide, and open pages notice.
      const task = await tasks.findOneAndUpdate(hired, { $inc: { revision: 1 } });
      if (!task?.award) {
        requireHired(await tasks.findOne({ _id }), caller);
        throw wrongState("An invoice can be written once the task is completed, or the milestone accepted.");
      }
      const draft = await create({ ...task, award: task.award });
      const person = await people.findOneAndUpdate(
        { _id: caller.uid },
        { $inc: { invoices: 1 } },
        { returnDocument: "after", projection: { invoices: 1 } },
      );
      // They were recorded when they bid.
      if (!person?.invoices) throw new ProblemError("person-not-found");
      const invoice = { _id: new ObjectId(), number: person.invoices, ...draft };
      await invoices.insertOne(invoice);
      const about = invoice.number;
      const notice = { kind: "invoice", actor: caller, text: nameOf(invoice), about } as const;
      await notifySide(database, "client", task, notice, now);
      return invoice._id;
    });
  }

  api.mount(invoiceEndpoints, {
    listInvoices: async ({ params, user }) => {
      const { found, clientId } = await find(params.id, user);
      const latestOf = (filter: Filter<InvoiceDoc>) =>
        invoices.findOne({ freelancerId: user.uid, ...filter }, { sort: { number: -1 } });
      // Another client's address is nobody else's business.
      const [latest, toThem] = await Promise.all([latestOf({}), latestOf({ clientId })]);
      return {
        invoices: found.map((invoice) => pick(invoice, invoiceSchema)),
        before: latest
          ? { from: latest.from, to: toThem?.to, taxRate: latest.taxRate, taxNote: latest.taxNote }
          : undefined,
      };
    },

    writeInvoice: ({ params, body, user, now }) =>
      write(params.id, user, now, body.milestone, async ({ _id: taskId, ownerId, title, award }) => {
        const { milestone, due } = body;
        if (!isOpen(due, now)) throw invalid("due", "Choose today or a later day.");
        const part = milestone === undefined ? undefined : award.milestones?.[milestone];
        if (award.milestones && !part) throw wrongState("Say which milestone this invoice is for.");
        const valid = {
          ...{ taskId, credits: { $exists: false }, credited: { $exists: false } },
          milestone: milestone ?? { $exists: false },
        };
        if (await invoices.findOne(valid))
          throw wrongState("Cancel the earlier invoice with a credit note first.");
        const person = await people.findOne({ _id: user.uid }, { projection: { payment: 1 } });
        const parties = { taskId, clientId: ownerId, freelancerId: user.uid };
        const about = part
          ? { title: `${title}: ${part.name}`, total: part.amount }
          : { title, total: award.amount };
        return { ...parties, ...body, ...about, payment: person?.payment, createdAt: now };
      }),

    creditInvoice: async ({ params: { id, invoiceId }, user, now }) => {
      const own = { _id: invoiceId, taskId: id, freelancerId: user.uid };
      const found = await invoices.findOne(own);
      if (!found) {
        requireHired(await tasks.findOne({ _id: id }), user);
        throw new ProblemError("invoice-not-found");
      }
      return write(id, user, now, found.milestone, async () => {
        const valid = { ...own, credits: { $exists: false }, credited: { $exists: false } };
        const { modifiedCount } = await invoices.updateOne(valid, { $set: { credited: true } });
        if (modifiedCount === 0) throw wrongState("This is cancelled already.");
        const { _id, number, credited, credits, ...document } = found;
        return { ...document, credits: number, createdAt: now };
      });
    },

    invoiceAsPdf: async ({ params, user, now, response }) => {
      const {
        found: [invoice],
      } = await find(params.id, user, { _id: params.invoiceId });
      if (!invoice) throw new ProblemError("invoice-not-found");
      const name = nameOf(invoice);
      return sendPdf(response, name, await pdfOf(name, invoiceParts(invoice), now));
    },
  });
}
