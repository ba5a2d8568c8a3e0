import { addDays, type Bid, calendarDate, type Task } from "@tasklane/server/contract";
import { formatUsd, plural } from "../../lib/format.ts";

/** From here on, as a share of the budget, a price is so high that it may be a mistake. */
const FAR_ABOVE = 1.5;
const DAY_MS = 86_400_000;

/** Compares an offer, if awarded now, with the task's budget and with the day on which the work is due. */
export function compareOffer(
  { budget, deadline, deliverBy = deadline }: Pick<Task, "budget" | "deadline" | "deliverBy">,
  { amount, days }: Pick<Bid, "amount" | "days">,
) {
  const due = days ? addDays(calendarDate(new Date()), days) : deliverBy;
  const above = Math.round((amount - budget) * 100) / 100;
  const daysLate = (Date.parse(due) - Date.parse(deliverBy)) / DAY_MS;
  return {
    /** In USD; negative if it is below the budget. */
    above,
    price: above && `${formatUsd(Math.abs(above))} ${above < 0 ? "under" : "over"} budget`,
    isFarAbove: amount > budget * FAR_ABOVE,
    due,
    late:
      daysLate > 0 &&
      `${plural(daysLate, "day")} after the ${deliverBy === deadline ? "deadline" : "delivery date"}`,
  };
}
