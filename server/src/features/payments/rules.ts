import type { PaymentWay, TaskAction } from "../../contract/index.ts";
import type { TaskDoc } from "../../db/documents/tasks.ts";
import { wrongState } from "../../domain/problem-error.ts";
import { type Caller, requireClient, requireHired } from "../../domain/task-conditions.ts";

export type PaymentAction = TaskAction & ("pay" | "confirm-payment");

/** What the client can pay now, in USD; undefined if nothing is due. */
export function payable(
  { state, award, payment }: TaskDoc,
  milestone: number | undefined,
): number | undefined {
  if (milestone === undefined)
    return state === "completed" && !award?.milestones && payment?.state !== "received"
      ? award?.amount
      : undefined;
  const part = milestone < (award?.accepted ?? 0) ? award?.milestones?.[milestone] : undefined;
  return part?.payment?.state === "received" ? undefined : part?.amount;
}

/**
 * Why a command did not change the payment of a task.
 * @returns false if it already is as the caller wanted.
 * @throws {ProblemError} whose detail says what prevents it.
 */
export function requireChangeable(
  task: TaskDoc | null,
  action: PaymentAction,
  caller: Caller,
  wanted: "paid" | "received" | "missing",
  milestone: number | undefined,
): false {
  if (action === "pay") requireClient(task, caller);
  else requireHired(task, caller);
  const payment = milestone === undefined ? task.payment : task.award?.milestones?.[milestone]?.payment;
  if (payment?.state === wanted) return false;
  throw wrongState(reason(task, milestone, payment));
}

function reason(
  { state, award }: TaskDoc,
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
