const FRESH_MS = 5 * 60_000;

/** Did this person prove who they are a moment ago? What cannot be taken back asks for that. */
export function isFreshLogin({ loggedInAt }: { loggedInAt: Date }, now: Date): boolean {
  return now.getTime() - loggedInAt.getTime() <= FRESH_MS;
}
