/**
 * Calendar dates are strings `YYYY-MM-DD`, never instants: a deadline is the same day for everybody
 * (a task is open through the end of that day in UTC).
 */
export type CalendarDate = string;

/** True for a `YYYY-MM-DD` that exists in the calendar (2026-02-30 does not). */
export function isCalendarDate(value: string): boolean {
  const instant = new Date(`${value}T00:00:00Z`);
  return !Number.isNaN(instant.getTime()) && instant.toISOString().slice(0, 10) === value;
}

/** The calendar date in UTC at the given instant. */
export function calendarDate(now: Date): CalendarDate {
  return now.toISOString().slice(0, 10);
}

/** The calendar date `days` later, or earlier if negative. */
export function addDays(date: CalendarDate, days: number): CalendarDate {
  const instant = new Date(`${date}T00:00:00Z`);
  instant.setUTCDate(instant.getUTCDate() + days);
  return calendarDate(instant);
}

/** Is the deadline day not yet over in UTC? */
export function isOpen(deadline: CalendarDate, now: Date): boolean {
  return deadline >= calendarDate(now);
}
