/** A signed-in person, as their verified token claims. Only `uid` identifies them permanently; the rest can change. */
export type User = {
  uid: string;
  email: string;
  /** Present once they have proved to the provider that the email address is theirs. */
  emailVerified?: true;
  name: string;
  picture?: string;
  /** Present if they are an operator, which no token says: it is stored and read for each request. */
  isOperator?: true;
  /** When they last authenticated (the token's `auth_time`). */
  loggedInAt: Date;
  tokenExpiresAt: Date;
};

/** The port to the identity provider. */
export type TokenVerifier = {
  /**
   * @param options.thorough for writes and operators: also ask the provider whether the session was revoked or the account disabled.
   * @throws {TokenRejected} if the token is forged or no longer valid.
   * @throws {VerifierUnavailable} if the provider cannot be reached.
   */
  verify(token: string, options?: { thorough?: boolean }): Promise<User>;
};

/** The port for managing accounts at the identity provider. */
export type AccountAdmin = {
  /**
   * Whether the provider still has the account.
   * @throws {Error} if the provider cannot be reached.
   */
  exists(uid: string): Promise<boolean>;
  /** Deletes an account, if it still exists. @throws {Error} if the provider cannot be reached. */
  delete(uid: string): Promise<void>;
};

/** The token is forged, expired or revoked, or belongs to a disabled or deleted account. */
export class TokenRejected extends Error {
  override name = "TokenRejected";
}

/** An operator has suspended the account; the message tells the owner why and what to do. */
export class AccountSuspended extends TokenRejected {
  override name = "AccountSuspended";
}

/** The token cannot be checked because the identity provider does not respond. */
export class VerifierUnavailable extends Error {
  override name = "VerifierUnavailable";
}
