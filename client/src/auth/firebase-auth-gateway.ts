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

/** A Google account made up for the Auth emulator. */
type LocalGoogleAccount = { email: string; name: string };

export type FirebaseGatewayOptions =
  | { mode: "project"; settings: { apiKey: string; authDomain: string; projectId: string; appId: string } }
  | {
      mode: "emulator";
      projectId: string;
      /** Where the emulator is reached; the launcher offers it on the page's own origin. */
      url: string;
      /** Asks which account "Google" should sign in; null when the person closes the question. */
      chooseGoogleAccount(): Promise<LocalGoogleAccount | null>;
    };

// Production says invalid-credential where the emulator tells wrong-password and user-not-found apart.
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

/** The AuthGateway over the Firebase JS SDK: a real project, or the Auth emulator. */
export function createFirebaseAuthGateway(options: FirebaseGatewayOptions): AuthGateway {
  const auth = openAuth(options);

  return {
    // Token changes include sign-in and sign-out, and also the renewal that carries a new name.
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
        // A change ends every session that began before the second it was made in; this one may have. If this fails, the
        // password is changed all the same, and at worst the person logs in with it.
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
  // initializeAuth instead of getAuth leaves out what is not used; the popup helper is needed for Google only.
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
 * The popup needs a script from Google's servers, which a machine without internet cannot load. The emulator accepts
 * an unsigned ID token instead, so the person chooses an account and the rest is Firebase's own sign-in with Google.
 */
async function localGoogleCredential(choose: () => Promise<LocalGoogleAccount | null>) {
  const account = await choose();
  if (!account) throw new AuthFailure("popup-closed");
  const { email, name } = account;
  const idToken = JSON.stringify({ sub: `google-${email.toLowerCase()}`, email, email_verified: true, name });
  return GoogleAuthProvider.credential(idToken);
}

/** The newest link that the emulator printed in place of mailing it to this person. */
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
  // The emulator is reached through the page's own origin.
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

// Reasons to try again later. Any other (the account is gone or disabled, its sessions were revoked) ends the session.
const PASSING = new Set([
  "auth/network-request-failed",
  "auth/timeout",
  "auth/too-many-requests",
  "auth/quota-exceeded",
  "auth/internal-error",
]);

async function tokenOf(user: User | null, fresh: boolean): Promise<string | null> {
  try {
    return (await user?.getIdToken(fresh)) ?? null;
  } catch (error) {
    if (error instanceof FirebaseError && !PASSING.has(error.code)) return null;
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
