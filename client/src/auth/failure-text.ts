import { isLoadFailure } from "../lib/load-failures.ts";
import { AuthFailure, type AuthFailureCode } from "./person.ts";

/** Messages for the provider's errors. The wording of the first two is specified. */
const WRONG_CREDENTIALS = "Incorrect Email and Password!";
export const WEAK_PASSWORD =
  "Password must be at least 6 characters and include uppercase and lowercase letters";

const TEXTS: Record<AuthFailureCode, string> = {
  "wrong-credentials": WRONG_CREDENTIALS,
  "weak-password": WEAK_PASSWORD,
  "email-in-use": "There is already an account with this email. Log in instead, or use another email.",
  "invalid-email": "This does not look like an email address. Check it and try again.",
  "too-many-requests": "Too many attempts. Wait a few minutes and try again.",
  network: "We can't reach the sign-in service. Check your connection and try again.",
  "popup-blocked": "Your browser blocked the Google window. Allow pop-ups for this site and try again.",
  "popup-closed": "The Google window was closed before you were signed in.",
  "other-account": "That is a different account. Choose the one you are signed in with.",
  "login-too-old": "You logged in a while ago. Confirm your password and try again.",
  disabled: "This account has been disabled. Contact us if you think this is a mistake.",
  unknown: "That did not work. Please try again.",
};

/** The message to show for a failed call to the identity provider. */
export function failureText(error: unknown): string {
  if (isLoadFailure(error)) return "The sign-in service did not load. Reload the page and try again.";
  return TEXTS[error instanceof AuthFailure ? error.code : "unknown"];
}

/** The code of a failed call to the identity provider. */
export function failureCode(error: unknown): AuthFailureCode {
  return error instanceof AuthFailure ? error.code : "unknown";
}
