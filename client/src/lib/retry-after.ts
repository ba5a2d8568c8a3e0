/** The longest wait that is believed, in seconds: an hour. */
const MOST = 3_600;

/** `Retry-After` in whole seconds from now, at least one; undefined if it is missing or unreadable (RFC 9110, section 10.2.3). */
export function retryAfterOf(headers: Headers, now: number = Date.now()): number | undefined {
  const value = headers.get("Retry-After");
  if (!value) return undefined;
  const seconds = /^\d+$/.test(value) ? Number(value) : (Date.parse(value) - now) / 1000;
  return Number.isNaN(seconds) ? undefined : Math.min(MOST, Math.max(1, Math.ceil(seconds)));
}
