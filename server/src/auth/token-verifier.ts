/** A signed-in person, by the claims of their verified token. `uid` is the only lasting name; the rest can change. */
export type User = {
  uid: string;
  email: string;
  /** There, and true, once they proved to the provider that the address is theirs. */
  emailVerified?: true;
  name: string;
  picture?: string;
  /** Named an operator by the custom claim `admin`. */
  isOperator?: true;
  /** When they last proved who they are (the token's `auth_time`). */
  loggedInAt: Date;
  /** Until when the token is good. */
  tokenExpiresAt: Date;
};

/** The port to the identity provider. */
export type TokenVerifier = {
  /**
   * @param options.thorough also ask the provider whether the session was revoked or the account disabled: for writes.
   * @throws {TokenRejected} if the token is not genuine, or not good any more.
   * @throws {VerifierUnavailable} if the provider cannot be asked.
   */
  verify(token: string, options?: { thorough?: boolean }): Promise<User>;
};

/** The port to the identity provider's accounts, as far as the product manages them. */
export type AccountAdmin = {
  /**
   * Locks an account and ends its sessions, or unlocks it.
   * @returns false if the provider no longer has it.
   * @throws {Error} if the provider cannot be asked.
   */
  setLocked(uid: string, locked: boolean): Promise<boolean>;
};

/** The token is forged, expired, revoked, or of a disabled or deleted account. */
export class TokenRejected extends Error {
  override name = "TokenRejected";
  /** Whose genuine token it is, where only its account stands against it: locked, or its sessions revoked. */
  readonly uid: string | undefined;

  constructor(message: string, { uid, ...options }: ErrorOptions & { uid?: string | undefined } = {}) {
    super(message, options);
    this.uid = uid;
  }
}

/** An operator has suspended the account; the message tells its owner why, and what to do. */
export class AccountSuspended extends TokenRejected {
  override name = "AccountSuspended";
}

/** The token cannot be checked now: the identity provider does not respond. */
export class VerifierUnavailable extends Error {
  override name = "VerifierUnavailable";
}
