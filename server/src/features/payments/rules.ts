import type { PaymentWay, TaskAction } from "../../contract/index.ts";
import type { TaskDoc } from "../../db/documents/tasks.ts";
import { ProblemError } from "../../domain/problem-error.ts";
import { canSee, requireClient } from "../../domain/task-conditions.ts";

/** The task's fields that decide about its payment. */
export const PAYMENT_TASK = { title: 1, ownerId: 1, state: 1, award: 1, payment: 1, hidden: 1 } as const;
export type PaymentTask = Pick<TaskDoc, "_id" | keyof typeof PAYMENT_TASK>;

/**
 * Why a command did not change the payment of a task.
 * @returns false if it already is as the caller wanted.
 * @throws {ProblemError} whose detail says what prevents it.
 */
export function requireChangeable(
  task: Omit<PaymentTask, "_id" | "title"> | null,
  action: TaskAction & ("pay" | "confirm-payment"),
  caller: { uid: string; isOperator?: true },
  wanted: "paid" | "received" | "missing",
  milestone: number | undefined,
): false {
  if (!task || !canSee(task, caller)) throw new ProblemError("task-not-found");
  if (action === "pay") requireClient(task, caller);
  else if (task.award?.freelancerId !== caller.uid) throw new ProblemError("not-hired");
  const { milestones } = task.award ?? {};
  const payment = milestone === undefined ? task.payment : milestones?.[milestone]?.payment;
  if (payment?.state === wanted) return false;
  throw new ProblemError("wrong-state", { detail: reason(task, milestone, payment) });
}

function reason(
  { state, award }: Pick<TaskDoc, "state" | "award">,
  milestone: number | undefined,
  payment: TaskDoc["payment"],
): string {
  if (milestone === undefined && award?.milestones) return "Say which milestone this is about.";
  if (milestone !== undefined && milestone >= (award?.accepted ?? 0))
    return "A payment can be recorded once the milestone is accepted.";
  if (milestone === undefined && state !== "completed")
    return "A payment can be recorded once the task is completed.";
  if (payment?.state === "received") return "The freelancer has confirmed this payment.";
  return "The client has not marked this task as paid, or not again.";
}

/** What is wrong with payment details, by their kind. */
export const INVALID_DETAILS: Record<PaymentWay, string> = {
  iban: "This is not a valid IBAN. Compare it with the one of your bank; it begins with two letters for the country.",
  paypal: "Enter the email address of your PayPal account, or your paypal.me link.",
  wise: "Enter the email address of your Wise account, or your wise.com link.",
  link: "Enter the address of a page where you can be paid, like https://pay.example/me.",
};
