import type { Collections } from "../../src/db/collections.ts";
import { conversationsWithWrongCount, FINDINGS, verifyBids } from "./verify-data.ts";

/** What `npm run verify` finds, a line each. */
export async function verifyProblems(stored: Collections): Promise<string[]> {
  const { offenders } = await verifyBids(stored);
  return [
    ...FINDINGS.flatMap((finding) => offenders[finding].map((id) => `verify: ${finding} ${id}`)),
    ...(await conversationsWithWrongCount(stored)).map((id) => `verify: wrong count of messages ${id}`),
  ];
}
