import { DAYS_TO_REACT, REMIND_AFTER_DAYS } from "../../contract/index.ts";
import type { DeliveryDoc } from "../../db/documents/tasks.ts";

const DAY_MS = 24 * 3_600_000;
const STAGES: readonly number[] = [...REMIND_AFTER_DAYS, DAYS_TO_REACT];

const after = (at: Date, days: number) => new Date(at.getTime() + days * DAY_MS);

/** What a task keeps of work that is handed in now. */
export function deliveredAt(now: Date): DeliveryDoc {
  return { at: now, mayCompleteFrom: after(now, DAYS_TO_REACT), remindAt: after(now, REMIND_AFTER_DAYS[0]) };
}

/**
 * Who is to be reminded of a delivery now, and when somebody is again. After a pause of the product only the latest of what
 * was due is told.
 */
export function reminderDue({ at }: Pick<DeliveryDoc, "at">, now: Date) {
  const days = (now.getTime() - at.getTime()) / DAY_MS;
  const next = STAGES.find((stage) => stage > days);
  return {
    whom: days >= DAYS_TO_REACT ? ("freelancer" as const) : ("client" as const),
    next: next === undefined ? undefined : after(at, next),
  };
}
