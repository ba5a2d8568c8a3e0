import { FirebaseError, initializeApp } from "firebase/app";
import {
  type Auth,
  browserLocalPersistence,
  browserPopupRedirectResolver,
  connectAuthEmulator,
  createUserWithEmailAndPassword,
  deleteUser,
  EmailAuthProvider,
  GoogleAuthProvider,
  indexedDBLocalPersistence,
  initializeAuth,
  onIdTokenChanged,
  reauthenticateWithCredential,
  reauthenticateWithPopup,
  reload,
  sendEmailVerification,
  sendPasswordResetEmail,
  signInWithCredential,
  signInWithEmailAndPassword,
  signInWithPopup,
  signOut,
  type User,
  updatePassword,
  updateProfile,
  verifyBeforeUpdateEmail,
} from "firebase/auth";
import {
  AuthFailure,
  type AuthFailureCode,
  type AuthGateway,
  type Person,
  type SignInMethod,
} from "./auth-gateway.ts";

/** A fictitious Google account for the Auth emulator. */
type LocalGoogleAccount = { email: string; name: string };

export type FirebaseGatewayOptions =
  | { mode: "project"; settings: { apiKey: string; authDomain: string; projectId: string; appId: string } }
  | {
      mode: "emulator";
      projectId: string;
      /** The emulator's URL; the launcher proxies it on the page's own origin. */
      url: string;
      /** Asks which Google account to sign in with; null if the person cancels. */
      chooseGoogleAccount(): Promise<LocalGoogleAccount | null>;
    };

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

/** The AuthGateway implemented with the Firebase JS SDK, for a real project or the Auth emulator. */
export function createFirebaseAuthGateway(options: FirebaseGatewayOptions): AuthGateway {
  const auth = openAuth(options);

  return {
    // Token changes include sign-in, sign-out, and the renewal after a name change.
    onUserChange: (listener) => onIdTokenChanged(auth, (user) => listener(user && toPerson(user))),
    createUser: (email, password) =>
      attempt(async () => toPerson((await createUserWithEmailAndPassword(auth, email, password)).user)),
    signIn: (email, password) =>
      attempt(async () => toPerson((await signInWithEmailAndPassword(auth, email, password)).user)),
    signInWithGoogle: () =>
      attempt(async () =>
        toPerson(
          options.mode === "project"
            ? await googlePopup(auth)
            : (await signInWithCredential(auth, await localGoogleCredential(options.chooseGoogleAccount)))
                .user,
        ),
      ),
    updateUser: ({ displayName, photoURL }) =>
      attempt(async () => {
        const user = auth.currentUser;
        if (!user) throw new AuthFailure("unknown");
        await updateProfile(user, { displayName, photoURL: photoURL ?? "" });
        // The API reads name and photo from the token, which still has the old ones.
        await user.getIdToken(true);
        return toPerson(user);
      }),
    signOut: () => attempt(() => signOut(auth)),
    sendPasswordReset: (email) => attempt(() => sendPasswordResetEmail(auth, email)),
    sendEmailVerification: () =>
      attempt(async () => {
        const user = signedIn(auth);
        await sendEmailVerification(user);
        return options.mode === "emulator" ? mailedLink(options, "VERIFY_EMAIL", user.email) : undefined;
      }),
    refreshUser: () =>
      attempt(async () => {
        const user = signedIn(auth);
        await reload(user);
        await user.getIdToken(true);
        return toPerson(user);
      }),
    signInMethods: () => attempt(async () => methodsOf(signedIn(auth))),
    confirmPassword: (password) =>
      attempt(async () => {
        const user = signedIn(auth);
        await reauthenticateWithCredential(user, EmailAuthProvider.credential(user.email ?? "", password));
      }),
    confirmWithGoogle: () =>
      attempt(async () => {
        const user = signedIn(auth);
        if (options.mode === "project") await reauthenticateWithPopup(user, new GoogleAuthProvider());
        else
          await reauthenticateWithCredential(user, await localGoogleCredential(options.chooseGoogleAccount));
      }),
    changePassword: (password) =>
      attempt(async () => {
        const user = signedIn(auth);
        await updatePassword(user, password);
        // The change revokes sessions that began before the second in which it was made, so renew this one. If that
        // fails, the password is still changed, and at worst the person has to log in again.
        const credential = EmailAuthProvider.credential(user.email ?? "", password);
        await reauthenticateWithCredential(user, credential).catch(() => undefined);
      }),
    changeEmail: (email) =>
      attempt(async () => {
        const user = signedIn(auth);
        await verifyBeforeUpdateEmail(user, email);
        return options.mode === "emulator"
          ? mailedLink(options, "VERIFY_AND_CHANGE_EMAIL", user.email)
          : undefined;
      }),
    deleteUser: () => attempt(() => deleteUser(signedIn(auth))),
    getToken: (fresh) => attempt(() => tokenOf(auth.currentUser, fresh)),
  };
}

function openAuth(options: FirebaseGatewayOptions): Auth {
  const settings =
    options.mode === "project" ? options.settings : { apiKey: "emulator-only", projectId: options.projectId };
  // Unlike getAuth, initializeAuth bundles only what is used; the popup resolver is needed only for Google.
  const auth = initializeAuth(initializeApp(settings), {
    persistence: [indexedDBLocalPersistence, browserLocalPersistence],
    ...(options.mode === "project" ? { popupRedirectResolver: browserPopupRedirectResolver } : {}),
  });
  if (options.mode === "emulator") connectAuthEmulator(auth, options.url, { disableWarnings: true });
  return auth;
}

async function googlePopup(auth: Auth): Promise<User> {
  return (await signInWithPopup(auth, new GoogleAuthProvider())).user;
}

/**
 * Google's popup needs a script from Google's servers, which cannot be loaded offline. The emulator accepts an unsigned
 * ID token instead, so the person chooses an account and the rest is Firebase's regular Google sign-in.
 */
async function localGoogleCredential(choose: () => Promise<LocalGoogleAccount | null>) {
  const account = await choose();
  if (!account) throw new AuthFailure("popup-closed");
  const { email, name } = account;
  const idToken = JSON.stringify({ sub: `google-${email.toLowerCase()}`, email, email_verified: true, name });
  return GoogleAuthProvider.credential(idToken);
}

/** The latest link that the emulator created for this person instead of emailing it. */
async function mailedLink(
  { url, projectId }: { url: string; projectId: string },
  requestType: MailedCode["requestType"],
  email: string | null,
) {
  const response = await fetch(`${url}/emulator/v1/projects/${projectId}/oobCodes`);
  const { oobCodes } = (await response.json()) as { oobCodes: MailedCode[] };
  const newest = oobCodes.findLast((code) => code.email === email && code.requestType === requestType);
  if (!newest) return undefined;
  const { pathname, search } = new URL(newest.oobLink);
  // Replace the emulator's own origin with the proxied one.
  return `${url}${pathname}${search}`;
}

type MailedCode = { email: string; requestType: "VERIFY_EMAIL" | "VERIFY_AND_CHANGE_EMAIL"; oobLink: string };

function signedIn(auth: Auth): User {
  if (!auth.currentUser) throw new AuthFailure("unknown");
  return auth.currentUser;
}

function methodsOf({ providerData }: User): SignInMethod[] {
  const ids = providerData.map(({ providerId }) => providerId);
  return [
    ...(ids.includes("password") ? (["password"] as const) : []),
    ...(ids.includes("google.com") ? (["google"] as const) : []),
  ];
}

// Failures that can be retried. Any other (account deleted or disabled, sessions revoked) ends the session.
const TEMPORARY_FAILURES = new Set([
  "auth/network-request-failed",
  "auth/timeout",
  "auth/too-many-requests",
  "auth/quota-exceeded",
  "auth/internal-error",
]);

async function tokenOf(user: User | null, fresh: boolean): Promise<string | null> {
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

function toPerson({ uid, displayName, photoURL, email, emailVerified }: User): Person {
  return { uid, displayName: displayName || null, photoURL: photoURL || null, email, emailVerified };
}

async function attempt<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof AuthFailure) throw error;
    const code = error instanceof FirebaseError ? FAILURES[error.code] : undefined;
    throw new AuthFailure(code ?? "unknown", error);
  }
}
