import { AuthFailure, type Person } from "../auth/person.ts";
import type { Firebase } from "../auth/session.tsx";

type Account = Person & { password: string };

type FakeFirebase = { -readonly [Name in keyof Firebase]: Firebase[Name] } & {
  accounts: Account[];
  /** Email addresses to which links were sent. */
  sentLinks: string[];
  /** Email addresses whose link was opened. */
  verified: Set<string>;
};

/** An in-memory identity provider without Firebase. */
export function createFakeFirebase(signedIn: Person | null = null): FakeFirebase {
  const accounts: Account[] = [];
  const sentLinks: string[] = [];
  const verified = new Set<string>();
  const listeners = new Set<(person: Person | null) => void>();
  let current = signedIn;

  const setCurrent = <T extends Person | null>(person: T): T => {
    current = person;
    for (const listener of listeners) listener(person);
    return person;
  };

  return {
    accounts,
    sentLinks,
    verified,
    onUserChange(listener) {
      listeners.add(listener);
      queueMicrotask(() => listener(current));
      return () => listeners.delete(listener);
    },
    toFailure: (error) => (error instanceof AuthFailure ? error : new AuthFailure("unknown", error)),
    async createUser(email, password) {
      if (accounts.some((account) => account.email === email)) throw new AuthFailure("email-in-use");
      const account = {
        uid: `uid-${email}`,
        email,
        password,
        displayName: null,
        photoURL: null,
        emailVerified: false,
        signInMethod: "password" as const,
      };
      accounts.push(account);
      return setCurrent(account);
    },
    async signIn(email, password) {
      const account = accounts.find((one) => one.email === email && one.password === password);
      if (!account) throw new AuthFailure("wrong-credentials");
      return setCurrent(account);
    },
    async signInWithGoogle() {
      throw new AuthFailure("popup-closed");
    },
    async updateUser(profile) {
      if (!current) throw new AuthFailure("unknown");
      return setCurrent({ ...current, ...profile });
    },
    async signOut() {
      setCurrent(null);
    },
    async sendPasswordReset() {},
    async sendEmailVerification() {
      sentLinks.push(current?.email ?? "");
      return undefined;
    },
    async refreshUser() {
      if (!current) throw new AuthFailure("unknown");
      return setCurrent({ ...current, emailVerified: verified.has(current.email ?? "") });
    },
    async confirmPassword(password) {
      const account = accounts.find(({ uid }) => uid === current?.uid);
      if (account?.password !== password) throw new AuthFailure("wrong-credentials");
    },
    async confirmWithGoogle() {
      throw new AuthFailure("popup-closed");
    },
    async changePassword(password) {
      const account = accounts.find(({ uid }) => uid === current?.uid);
      if (account) account.password = password;
    },
    async changeEmail(email) {
      if (accounts.some((account) => account.email === email)) throw new AuthFailure("email-in-use");
      sentLinks.push(email);
      return undefined;
    },
    async deleteUser() {
      accounts.splice(
        accounts.findIndex(({ uid }) => uid === current?.uid),
        1,
      );
      setCurrent(null);
    },
    async getToken() {
      return current && `token-of-${current.uid}`;
    },
  };
}

/** An identity provider that cannot be reached, so it is unknown who is signed in. */
export function createBrokenFirebase(): FakeFirebase {
  return {
    ...createFakeFirebase(),
    onUserChange() {
      throw new AuthFailure("network");
    },
  };
}
