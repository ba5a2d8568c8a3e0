import type { AuthFailureCode } from "./person.ts";

// Production reports invalid-credential; the emulator reports wrong-password or user-not-found instead.
export const FAILURES: Record<string, AuthFailureCode> = {
  "auth/invalid-credential": "wrong-credentials",
  "auth/wrong-password": "wrong-credentials",
  "auth/user-not-found": "wrong-credentials",
  "auth/email-already-in-use": "email-in-use",
  "auth/weak-password": "weak-password",
  "auth/password-does-not-meet-requirements": "weak-password",
  "auth/invalid-email": "invalid-email",
  "auth/too-many-requests": "too-many-requests",
  "auth/network-request-failed": "network",
  "auth/timeout": "network",
  "auth/popup-blocked": "popup-blocked",
  "auth/popup-closed-by-user": "popup-closed",
  "auth/cancelled-popup-request": "popup-closed",
  "auth/user-disabled": "disabled",
  "auth/user-mismatch": "other-account",
  "auth/requires-recent-login": "login-too-old",
  "auth/user-token-expired": "login-too-old",
};

// Failures that can be retried. Any other (account deleted or disabled, sessions revoked) ends the session.
export const TEMPORARY_FAILURES = new Set([
  "auth/network-request-failed",
  "auth/timeout",
  "auth/too-many-requests",
  "auth/quota-exceeded",
  "auth/internal-error",
]);
