import { createContext, use, useSyncExternalStore } from "react";
import { createContext as createRouterContext, type RouterContextProvider } from "react-router-dom";
import { AuthFailure, type Person } from "./person.ts";

type SessionState = {
  user: Person | null;
  loading: boolean;
  /** The provider's SDK failed to load, so it is unknown whether somebody is signed in. */
  unknown: boolean;
};

const INITIAL: SessionState = { user: null, loading: true, unknown: false };

/** The identity provider's functions. Its SDK is loaded on first use. */
export type Firebase = Readonly<typeof import("./firebase.ts")>;

/** The session of this tab, for components, loaders and the API client. */
export type Session = Omit<Firebase, "onUserChange" | "toFailure"> & {
  getState(): SessionState;
  subscribe(listener: () => void): () => void;
  /** Resolves once it is known who is signed in; rejects with AuthFailure `network` if the SDK cannot be loaded. */
  ready(): Promise<Person | null>;
};

/** Provides the session to route loaders, actions and the sign-in guard; set once per navigation in app/router.tsx. */
export const sessionContext = createRouterContext<Session>();

/** The session for a loader or action: `const session = sessionOf(args)`. */
export function sessionOf({ context }: { context: Readonly<RouterContextProvider> }): Session {
  return context.get(sessionContext);
}

/**
 * Creates the session. The provider's SDK is loaded on first use, so that it never delays the first paint.
 * Initially `user` is null and `loading` true; `loading` is true again during sign-up, sign-in and sign-out.
 */
export function createSession(loadFirebase: () => Promise<Firebase>): Session {
  let state = INITIAL;
  let opening: Promise<Firebase> | undefined;
  const listeners = new Set<() => void>();

  const set = (next: Partial<SessionState>) => {
    state = { ...state, ...next };
    for (const listener of listeners) listener();
  };

  const open = () => {
    opening ??= loadFirebase()
      .then(
        (firebase) =>
          new Promise<Firebase>((resolve) => {
            firebase.onUserChange((user) => {
              set({ user, loading: false, unknown: false });
              resolve(firebase);
            });
          }),
      )
      .catch((error: unknown) => {
        // The SDK's chunk failed to load: the next call tries again.
        opening = undefined;
        set({ loading: false, unknown: true });
        throw error instanceof AuthFailure ? error : new AuthFailure("network", error);
      });
    return opening;
  };

  type Call = <T>(work: (firebase: Firebase) => Promise<T>) => Promise<T>;

  /** Calls the provider. Rejects with {@link AuthFailure}. */
  const call: Call = async (work) => {
    const firebase = await open();
    return work(firebase).catch((error: unknown) => {
      throw firebase.toFailure(error);
    });
  };

  const whileLoading: Call = (work) =>
    call((firebase) => {
      set({ loading: true });
      return work(firebase).finally(() => set({ loading: false }));
    });

  const signInWith = (work: (firebase: Firebase) => Promise<Person>) =>
    whileLoading(async (firebase) => {
      const user = await work(firebase);
      set({ user });
      return user;
    });

  /** Updates the signed-in person, unless somebody else or nobody is signed in by now. */
  const updateState = (user: Person) => {
    if (state.user?.uid === user.uid) set({ user });
    return user;
  };

  return {
    getState: () => state,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    async ready() {
      await open();
      return state.user;
    },
    createUser: (email, password) => signInWith((firebase) => firebase.createUser(email, password)),
    signIn: (email, password) => signInWith((firebase) => firebase.signIn(email, password)),
    signInWithGoogle: () => signInWith((firebase) => firebase.signInWithGoogle()),
    updateUser: async (profile) => updateState(await call((firebase) => firebase.updateUser(profile))),
    signOut: () =>
      whileLoading(async (firebase) => {
        await firebase.signOut();
        set({ user: null });
      }),
    sendEmailVerification: () => call((firebase) => firebase.sendEmailVerification()),
    refreshUser: async () => updateState(await call((firebase) => firebase.refreshUser())),
    confirmPassword: (password) => call((firebase) => firebase.confirmPassword(password)),
    confirmWithGoogle: () => call((firebase) => firebase.confirmWithGoogle()),
    changePassword: (password) => call((firebase) => firebase.changePassword(password)),
    changeEmail: (email) => call((firebase) => firebase.changeEmail(email)),
    deleteUser: () => call((firebase) => firebase.deleteUser()),
    sendPasswordReset: (email) => call((firebase) => firebase.sendPasswordReset(email)),
    getToken: (fresh) => call((firebase) => firebase.getToken(fresh)),
  };
}

/** Provides the session to the components below. */
export const SessionContext = createContext<Session | null>(null);

/** Who is signed in, and what can be done about that. */
type Auth = SessionState & Omit<Session, "getState" | "subscribe">;

export function useAuth(): Auth {
  const session = use(SessionContext);
  if (!session) throw new Error("useAuth needs a SessionContext above it.");
  const state = useSyncExternalStore(session.subscribe, session.getState, () => INITIAL);
  return { ...session, ...state };
}
