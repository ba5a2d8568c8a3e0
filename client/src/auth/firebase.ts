import { FirebaseError, initializeApp } from "firebase/app";
import {
  type Auth,
  browserLocalPersistence,
  browserPopupRedirectResolver,
  connectAuthEmulator,
  createUserWithEmailAndPassword,
  deleteUser as deleteAccount,
  EmailAuthProvider,
  sendEmailVerification as emailVerificationLink,
  signOut as endSession,
  GoogleAuthProvider,
  indexedDBLocalPersistence,
  initializeAuth,
  onIdTokenChanged,
  reauthenticateWithCredential,
  reauthenticateWithPopup,
  reload,
  sendPasswordResetEmail,
  signInWithCredential,
  signInWithEmailAndPassword,
  signInWithPopup,
  type User,
  updatePassword,
  updateProfile,
  verifyBeforeUpdateEmail,
} from "firebase/auth";
import { firebaseSettings } from "../lib/env.ts";
import { EMULATOR, localGoogleToken, mailedLink } from "./emulator.ts";
import { AuthFailure, type AuthFailureCode, type Person } from "./person.ts";

/*
 * The identity provider: the Firebase project that this build is configured for, or the emulator, which the launcher
 * proxies on the page's own origin. It determines who is signed in as soon as this module is evaluated; guarded pages
 * start it while the app is still loading (build/app-start.ts). The session converts its errors with {@link toFailure}.
 */
const project = firebaseSettings();

const auth = openAuth();

/** Calls back with the current person, immediately and after every change. Returns an unsubscribe function. */
export function onUserChange(listener: (person: Person | null) => void): () => void {
  // Token changes include sign-in, sign-out, and the renewal after a name change.
  return onIdTokenChanged(auth, (user) => listener(user && toPerson(user)));
}

export async function createUser(email: string, password: string): Promise<Person> {
  return toPerson((await createUserWithEmailAndPassword(auth, email, password)).user);
}

export async function signIn(email: string, password: string): Promise<Person> {
  return toPerson((await signInWithEmailAndPassword(auth, email, password)).user);
}

export async function signInWithGoogle(): Promise<Person> {
  const { user } = project
    ? await signInWithPopup(auth, new GoogleAuthProvider())
    : await signInWithCredential(auth, await localGoogleCredential());
  return toPerson(user);
}

/** Sets the signed-in person's name and photo. */
export async function updateUser(profile: { displayName: string; photoURL: string | null }): Promise<Person> {
  const user = signedIn();
  await updateProfile(user, { ...profile, photoURL: profile.photoURL ?? "" });
  // The API reads name and photo from the token, which still has the old ones.
  await user.getIdToken(true);
  return toPerson(user);
}

export function signOut(): Promise<void> {
  return endSession(auth);
}

export function sendPasswordReset(email: string): Promise<void> {
  return sendPasswordResetEmail(auth, email);
}

/**
 * Emails the signed-in person a verification link.
 * @returns the link itself with the emulator, which sends no email.
 */
export async function sendEmailVerification(): Promise<string | undefined> {
  const user = signedIn();
  await emailVerificationLink(user);
  return project ? undefined : mailedLink("VERIFY_EMAIL", user.email);
}

/** Reloads the signed-in person's profile, which may have changed elsewhere, and renews the token. */
export async function refreshUser(): Promise<Person> {
  const user = signedIn();
  await reload(user);
  await user.getIdToken(true);
  return toPerson(user);
}

/** Reauthenticates the signed-in person before a sensitive action. */
export async function confirmPassword(password: string): Promise<void> {
  await confirmWith(signedIn(), password);
}

/** The same for somebody who signs in with Google. */
export async function confirmWithGoogle(): Promise<void> {
  const user = signedIn();
  if (project) await reauthenticateWithPopup(user, new GoogleAuthProvider());
  else await reauthenticateWithCredential(user, await localGoogleCredential());
}

/** Changes the signed-in person's password, which ends their other sessions. Reauthenticate first. */
export async function changePassword(password: string): Promise<void> {
  const user = signedIn();
  await updatePassword(user, password);
  // The change revokes sessions that began before the second in which it was made, so renew this one. If that
  // fails, the password is still changed, and at worst the person has to log in again.
  await confirmWith(user, password).catch(() => undefined);
}

/**
 * Emails a link to a new address, which becomes the signed-in person's once they open it. Reauthenticate first.
 * @returns the link itself with the emulator, which sends no email.
 */
export async function changeEmail(email: string): Promise<string | undefined> {
  const user = signedIn();
  await verifyBeforeUpdateEmail(user, email);
  return project ? undefined : mailedLink("VERIFY_AND_CHANGE_EMAIL", user.email);
}

/** Deletes the signed-in person's account, which ends the session. */
export async function deleteUser(): Promise<void> {
  await deleteAccount(signedIn());
}

/** The ID token for the API, renewed if `fresh`; null when nobody is signed in. */
export async function getToken(fresh: boolean): Promise<string | null> {
  const user = auth.currentUser;
  try {
    if (!user) return null;
    const { token, claims } = await user.getIdTokenResult(fresh);
    // The API learns from the token that the address is verified; one from before the verification is valid for an hour.
    return user.emailVerified && !claims["email_verified"] ? await user.getIdToken(true) : token;
  } catch (error) {
    if (error instanceof FirebaseError && !TEMPORARY_FAILURES.has(error.code)) return null;
    throw error;
  }
}

/** What a call that was rejected with this error failed for. */
export function toFailure(error: unknown): AuthFailure {
  if (error instanceof AuthFailure) return error;
  const code = error instanceof FirebaseError ? FAILURES[error.code] : undefined;
  return new AuthFailure(code ?? "unknown", error);
}

function openAuth(): Auth {
  const settings = project ?? { apiKey: "emulator-only", projectId: EMULATOR.projectId };
  // Unlike getAuth, initializeAuth bundles only what is used; the popup resolver is needed only for Google.
  const opened = initializeAuth(initializeApp(settings), {
    persistence: [indexedDBLocalPersistence, browserLocalPersistence],
    ...(project ? { popupRedirectResolver: browserPopupRedirectResolver } : {}),
  });
  if (!project) connectAuthEmulator(opened, EMULATOR.url, { disableWarnings: true });
  return opened;
}

async function confirmWith(user: User, password: string): Promise<void> {
  await reauthenticateWithCredential(user, EmailAuthProvider.credential(user.email ?? "", password));
}

/** Google's credential of the account that somebody chooses beside the emulator. */
async function localGoogleCredential() {
  return GoogleAuthProvider.credential(await localGoogleToken());
}

function signedIn(): User {
  if (!auth.currentUser) throw new AuthFailure("unknown");
  return auth.currentUser;
}

function toPerson({ uid, displayName, photoURL, email, emailVerified, providerData }: User): Person {
  const providers = providerData.map(({ providerId }) => providerId);
  return {
    ...{ uid, displayName: displayName || null, photoURL: photoURL || null, email, emailVerified },
    signInMethod: providers.includes("password")
      ? "password"
      : providers.includes("google.com")
        ? "google"
        : undefined,
  };
}

// Production reports invalid-credential; the emulator reports wrong-password or user-not-found instead.
const FAILURES: Record<string, AuthFailureCode> = {
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
const TEMPORARY_FAILURES = new Set([
  "auth/network-request-failed",
  "auth/timeout",
  "auth/too-many-requests",
  "auth/quota-exceeded",
  "auth/internal-error",
]);
