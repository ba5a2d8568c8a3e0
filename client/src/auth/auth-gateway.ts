/** A signed-in person as the product knows them. */
export type Person = {
  uid: string;
  displayName: string | null;
  photoURL: string | null;
  email: string | null;
  /** Did they prove that the address is theirs? */
  emailVerified: boolean;
};

/** Why the identity provider refused. */
export type AuthFailureCode =
  | "wrong-credentials"
  | "email-in-use"
  | "weak-password"
  | "invalid-email"
  | "too-many-requests"
  | "network"
  | "popup-blocked"
  | "popup-closed"
  | "disabled"
  | "login-too-old"
  | "other-account"
  | "unknown";

/** A failed call of the identity provider. */
export class AuthFailure extends Error {
  override readonly name = "AuthFailure";
  readonly code: AuthFailureCode;

  constructor(code: AuthFailureCode, cause?: unknown) {
    super(code, { cause });
    this.code = code;
  }
}

/** A way of signing in that an account has. */
export type SignInMethod = "password" | "google";

/** The port to the identity provider. Every method rejects with {@link AuthFailure}. */
export type AuthGateway = {
  /** Calls back with the current person at once and after every change; returns an unsubscribe function. */
  onUserChange(listener: (person: Person | null) => void): () => void;
  createUser(email: string, password: string): Promise<Person>;
  signIn(email: string, password: string): Promise<Person>;
  signInWithGoogle(): Promise<Person>;
  /** Sets name and photo of the signed-in person. */
  updateUser(profile: { displayName: string; photoURL: string | null }): Promise<Person>;
  signOut(): Promise<void>;
  sendPasswordReset(email: string): Promise<void>;
  /**
   * Mails the signed-in person a link that proves the address is theirs.
   * @returns the link itself where no mail is sent: with the emulator.
   */
  sendEmailVerification(): Promise<string | undefined>;
  /** Asks the provider what has changed about the signed-in person, elsewhere perhaps; the token says so from then on. */
  refreshUser(): Promise<Person>;
  /** How the signed-in person can prove who they are; the first one is theirs to use. */
  signInMethods(): Promise<SignInMethod[]>;
  /** Signs in the same person once more, before something that cannot be undone. */
  confirmPassword(password: string): Promise<void>;
  confirmWithGoogle(): Promise<void>;
  /** Gives the signed-in person another password, which ends their sessions elsewhere. Confirm who they are first. */
  changePassword(password: string): Promise<void>;
  /**
   * Mails a link to the signed-in person's new address, which is theirs once they open it. Confirm who they are first.
   * @returns the link itself where no mail is sent: with the emulator.
   */
  changeEmail(email: string): Promise<string | undefined>;
  /** Deletes the signed-in person's account, which ends the session. */
  deleteUser(): Promise<void>;
  /** The ID token for the API, renewed if `fresh`; null when nobody is signed in. */
  getToken(fresh: boolean): Promise<string | null>;
};
