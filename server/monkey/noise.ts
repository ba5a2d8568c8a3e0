/** What browsers say of things that the monkey itself has caused, with the reason why it is no mistake of the product. */
const EXPECTED: readonly { line: RegExp; why: string; whileOffline?: true }[] = [
  {
    line: /console error: Failed to load resource: .* status of (400|404|409|410|412|422|429) /,
    why: "Chromium logs every refused request; the page says it in its own words",
  },
  {
    line: /status of 403 .*\/me\/saved\//,
    why: "a visitor presses the heart of a task that turns out to be their own once they log in; the page says so, too",
  },
  {
    line: /request failed: .*net::ERR_ABORTED/,
    why: "whoever leaves a page ends its requests",
  },
  {
    line: /ERR_NAME_NOT_RESOLVED/,
    why: "no other host is there, and photos of people may be anywhere",
  },
  {
    line: /ERR_INTERNET_DISCONNECTED|ERR_NETWORK_CHANGED/,
    why: "nobody but the monkey switches the network off",
  },
  {
    line: /status of 503 /,
    why: "the service worker sends its offline page as a 503",
    whileOffline: true,
  },
];

/** Is the line no more than what the act itself had to lead to? */
export function expectedNoise(line: string, { isOffline }: { isOffline: boolean }): boolean {
  return EXPECTED.some(
    ({ line: pattern, whileOffline }) => pattern.test(line) && (isOffline || !whileOffline),
  );
}
