export const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

export const daysBefore = (today: Date, days: number) => new Date(today.getTime() - days * DAY_MS);
