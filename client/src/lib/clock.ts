/** A smaller difference may be a slow connection's. */
const TOLERANCE_MS = 60_000;

let aheadMs = 0;

/** The server's current time, by which it decides what is over: the device's clock may be wrong. */
export function serverTime(): Date {
  return new Date(Date.now() + aheadMs);
}

/** Sets the server's clock by a response that has just arrived: its `Date` header (RFC 9110), if it has one. */
export function setServerTime(date: string | null): void {
  const ahead = Date.parse(date ?? "") - Date.now();
  if (!Number.isNaN(ahead)) aheadMs = Math.abs(ahead) < TOLERANCE_MS ? 0 : ahead;
}
