import type { ObjectId } from "mongodb";
import { PAYMENT_LIMITS } from "../contract/index.ts";
import type { TaskDoc } from "../db/documents/tasks.ts";
import { isFormerMember } from "./notify.ts";

type Payment = NonNullable<TaskDoc["payment"]>;

/** The job that reminds whoever has to say something next, after an acceptance or a change of the payment. */
export function paymentReminder(taskId: ObjectId, now: Date) {
  const dueAt = new Date(now.getTime() + PAYMENT_LIMITS.remindDays * 86_400_000);
  return { kind: "payment-reminder", subject: [taskId], dueAt } as const;
}

/**
 * Who has to say something about the payments for a task next: the client of what is owed, the freelancer of what was
 * paid. Nobody once a side has deleted their account.
 */
export function turnsOf({
  ownerId,
  state,
  payment,
  award,
}: Pick<TaskDoc, "ownerId" | "state" | "payment" | "award">) {
  const hasLeft = [ownerId, award?.freelancerId ?? ""].some(isFormerMember);
  const { milestones, accepted = 0 } = award ?? {};
  const whole = state === "completed" ? [{ payment }] : [];
  const due = hasLeft || state === "cancelled" ? [] : (milestones?.slice(0, accepted) ?? whole);
  const open = due.map((each) => each.payment?.state).filter((said) => said !== "received");
  return new Set(open.map((said) => (said === "paid" ? ("freelancer" as const) : ("client" as const))));
}

/** What was said about the payment for a completed task: about all of its milestones, if it has any. */
export function paymentOf(task: Pick<TaskDoc, "state" | "payment" | "award">): Payment | undefined {
  if (task.state !== "completed") return undefined;
  const { milestones } = task.award ?? {};
  if (!milestones) return task.payment;
  const payments = milestones.flatMap(({ payment }) => payment ?? []);
  const isMissing = payments.some(({ state }) => state === "missing");
  if (!isMissing && payments.length < milestones.length) return undefined;
  const at = new Date(Math.max(...payments.map((payment) => payment.at.getTime())));
  if (isMissing) return { state: "missing", at };
  return { state: payments.every(({ state }) => state === "received") ? "received" : "paid", at };
}
