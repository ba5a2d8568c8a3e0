/** A signed-in person. */
export type Person = {
  uid: string;
  displayName: string | null;
  photoURL: string | null;
  email: string | null;
  emailVerified: boolean;
};

/** Why the identity provider rejected a call. */
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

/** A failed call to the identity provider. */
export class AuthFailure extends Error {
  override readonly name = "AuthFailure";
  readonly code: AuthFailureCode;

  constructor(code: AuthFailureCode, cause?: unknown) {
    super(code, { cause });
    this.code = code;
  }
}

/** A sign-in method of an account. */
export type SignInMethod = "password" | "google";

/** The port to the identity provider. Every method rejects with {@link AuthFailure}. */
export type AuthGateway = {
  /** Calls back with the current person, immediately and after every change. Returns an unsubscribe function. */
  onUserChange(listener: (person: Person | null) => void): () => void;
  createUser(email: string, password: string): Promise<Person>;
  signIn(email: string, password: string): Promise<Person>;
  signInWithGoogle(): Promise<Person>;
  /** Sets the signed-in person's name and photo. */
  updateUser(profile: { displayName: string; photoURL: string | null }): Promise<Person>;
  signOut(): Promise<void>;
  sendPasswordReset(email: string): Promise<void>;
  /**
   * Emails the signed-in person a verification link.
   * @returns the link itself with the emulator, which sends no email.
   */
  sendEmailVerification(): Promise<string | undefined>;
  /** Reloads the signed-in person's profile, which may have changed elsewhere, and renews the token. */
  refreshUser(): Promise<Person>;
  /** How the signed-in person can confirm their identity, preferred method first. */
  signInMethods(): Promise<SignInMethod[]>;
  /** Reauthenticates the signed-in person before a sensitive action. */
  confirmPassword(password: string): Promise<void>;
  confirmWithGoogle(): Promise<void>;
  /** Changes the signed-in person's password, which ends their other sessions. Reauthenticate first. */
  changePassword(password: string): Promise<void>;
  /**
   * Emails a link to a new address, which becomes the signed-in person's once they open it. Reauthenticate first.
   * @returns the link itself with the emulator, which sends no email.
   */
  changeEmail(email: string): Promise<string | undefined>;
  /** Deletes the signed-in person's account, which ends the session. */
  deleteUser(): Promise<void>;
  /** The ID token for the API, renewed if `fresh`; null when nobody is signed in. */
  getToken(fresh: boolean): Promise<string | null>;
};
