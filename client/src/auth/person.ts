/** A signed-in person. */
export type Person = {
  uid: string;
  displayName: string | null;
  photoURL: string | null;
  email: string | null;
  emailVerified: boolean;
  /** How they can confirm who they are; a password before Google. Undefined if neither is possible. */
  signInMethod: "password" | "google" | undefined;
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
