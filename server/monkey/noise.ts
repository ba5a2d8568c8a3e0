/** Console messages and failed requests that the monkey itself causes, and why they are not the product's fault. */
const EXPECTED: readonly { line: RegExp; why: string; whileOffline?: true }[] = [
  {
    line: /console error: Failed to load resource: .* status of (400|404|409|410|412|422|429) /,
    why: "Chromium logs every refused request; the page shows its own message",
  },
  {
    line: /status of 403 .*\/me\/saved\//,
    why: "a visitor saves a task that turns out to be their own after login; the page says so",
  },
  {
    line: /request failed: .*net::ERR_ABORTED/,
    why: "leaving a page aborts its requests",
  },
  {
    line: /ERR_NAME_NOT_RESOLVED/,
    why: "other hosts are blocked, and people's photos may be on any host",
  },
  {
    line: /ERR_INTERNET_DISCONNECTED|ERR_NETWORK_CHANGED/,
    why: "only the monkey switches the network off",
  },
  {
    line: /status of 503 /,
    why: "the service worker sends its offline page as a 503",
    whileOffline: true,
  },
];

/** Whether the line is an expected consequence of what the monkey did. */
export function isExpectedNoise(line: string, { isOffline }: { isOffline: boolean }): boolean {
  return EXPECTED.some(
    ({ line: pattern, whileOffline }) => pattern.test(line) && (isOffline || !whileOffline),
  );
}
