/**
 * Calendar dates are strings `YYYY-MM-DD`, never instants: a deadline is the same day for everybody
 * (SPEC section 9; the task is open through the end of that day in UTC).
 */
export type CalendarDate = string;

const SHAPE = /^(\d{4})-(\d{2})-(\d{2})$/;

/** True for a `YYYY-MM-DD` that exists in the calendar (2026-02-30 does not). */
export function isCalendarDate(value: string): boolean {
  const match = SHAPE.exec(value);
  if (!match) return false;
  const instant = new Date(`${value}T00:00:00Z`);
  return !Number.isNaN(instant.getTime()) && instant.toISOString().slice(0, 10) === value;
}

/** The calendar date in UTC at the given instant. */
export function calendarDate(now: Date): CalendarDate {
  return now.toISOString().slice(0, 10);
}

/** A calendar date that many days later (or earlier, if negative). */
export function addDays(date: CalendarDate, days: number): CalendarDate {
  const instant = new Date(`${date}T00:00:00Z`);
  instant.setUTCDate(instant.getUTCDate() + days);
  return calendarDate(instant);
}

/** A task takes bids until its deadline day is over in UTC. */
export function isOpen(deadline: CalendarDate, now: Date): boolean {
  return deadline >= calendarDate(now);
}
