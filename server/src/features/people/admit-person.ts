import type { Request } from "express";
import { AccountSuspended, TokenRejected, type User } from "../../auth/token-verifier.ts";
import type { Endpoint } from "../../contract/endpoint.ts";
import { calendarDate } from "../../contract/index.ts";
import type { Database } from "../../db/client.ts";
import type { Collections } from "../../db/collections.ts";
import type { SuspensionDoc } from "../../db/documents/operators.ts";
import type { DeletionDoc, PersonDoc } from "../../db/documents/people.ts";
import { reasonInWords } from "../../domain/operators.ts";
import type { PersonStore } from "./store.ts";

const ACCOUNT = {
  name: 1,
  email: 1,
  emailVerified: 1,
  image: 1,
  tokenExpiresAt: 1,
  lastActiveOn: 1,
  operator: 1,
} as const;

/** What decides on a signed-in person's requests. */
type Account = Partial<
  Pick<PersonDoc, keyof typeof ACCOUNT> &
    /** Of a suspension in force. */
    Pick<SuspensionDoc, "reason" | "text"> &
    /** Of a deletion of the account. */
    Pick<DeletionDoc, "until">
>;

/** Reads a person with their suspension and the deletion of their account, each by its key, in one round trip. */
async function readAccount({ people }: Collections, _id: string): Promise<Account> {
  const plan = [
    { $match: { _id } },
    { $project: ACCOUNT },
    {
      $unionWith: {
        coll: "suspensions" satisfies keyof Collections,
        pipeline: [{ $match: { _id, liftedAt: null } }, { $project: { reason: 1, text: 1 } }],
      },
    },
    {
      $unionWith: {
        coll: "deletions" satisfies keyof Collections,
        pipeline: [{ $match: { _id } }, { $project: { until: 1 } }],
      },
    },
  ];
  return Object.assign({}, ...(await people.aggregate<Account>(plan).toArray()));
}

/**
 * Decides on each request of a signed-in person by what is stored at that moment, so that a suspension, a deletion of
 * the account and a removed operator right take effect with the next request on every instance. Records people who write
 * anything, read `GET /me` or follow events, as every page does, for profiles, reviews and emails, if something about
 * them is new, and once a day; a failure of that is logged and does not fail the request.
 * @param deletesLogins if false, a login that its owner kept may begin anew: only earlier sessions end.
 * @returns a function that returns the person with their operator right; it throws {@link AccountSuspended}, or
 *   {@link TokenRejected} if the account was deleted.
 */
export function personAdmission(
  database: Database,
  { record }: Pick<PersonStore, "record">,
  deletesLogins: boolean,
) {
  return async (
    user: User,
    { name, method }: Pick<Endpoint, "name" | "method">,
    { log }: Pick<Request, "log">,
    now: Date,
  ): Promise<User> => {
    const account = await readAccount(database, user.uid);
    const { reason, text, until, operator } = account;
    if (reason)
      throw new AccountSuspended(
        `An operator has suspended your account: ${reasonInWords(reason, text)} Contact us if you think this is a mistake.`,
      );
    // A deletion that was interrupted can be completed by a second request, which must not record the person again.
    if (name !== "deleteAccount") {
      if (until && (deletesLogins || user.loggedInAt < until))
        throw new TokenRejected("the account of this session was deleted");
      const isActive = name === "readMe" || name === "followEvents" || method !== "GET";
      if (isActive && isNews(user, account, now))
        await record(user, now).catch((error: unknown) =>
          log.warn({ err: error }, "a person could not be recorded"),
        );
    }
    return operator ? { ...user, isOperator: true } : user;
  };
}

/** Whether the token says something that is not stored yet, or it is their first request on this day. */
function isNews(user: User, stored: Account, now: Date): boolean {
  if ((stored.lastActiveOn ?? "") < calendarDate(now)) return true;
  const isOlder = stored.tokenExpiresAt && user.tokenExpiresAt < stored.tokenExpiresAt;
  return (
    !isOlder &&
    (stored.name !== user.name ||
      stored.email !== user.email ||
      stored.emailVerified !== (user.emailVerified === true) ||
      stored.image !== user.picture)
  );
}
