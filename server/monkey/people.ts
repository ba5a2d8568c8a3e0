import { type DemoName, demoAccount, demoAccounts } from "../dev/demo-data/people.ts";
import { PASSWORD, signUp } from "../test/people.ts";
import type { BrowserWindow } from "./browser-window.ts";
import type { Random } from "./texts.ts";

export const ROLES = ["client", "freelancer", "visitor", "operator", "newcomer"] as const;
export type Role = (typeof ROLES)[number];

/** Who uses the browser. `isOwn`: an account created for this run, which may enter its password into any form. */
export type Person = { email: string; password: string; isOwn: boolean };

const DEMO: Partial<Record<Role, readonly DemoName[]>> = {
  client: ["amara", "jonas", "priya"],
  freelancer: ["mateo", "hana", "tariq", "elena", "kofi", "linh", "claire"],
  operator: ["oda"],
};

/** Signs someone in this role in, as if they had logged in before; visitors stay anonymous. */
export async function signInAs(
  window: BrowserWindow,
  role: Role,
  { pick }: Random,
): Promise<{ person: Person | null; api: Api }> {
  if (role === "visitor") return { person: null, api: apiWith(window.origin) };
  const names = DEMO[role];
  const demo = names && demoAccount(pick(names));
  const email = demo?.email ?? (await signUp({ name: "Nia New" })).email;
  const password = demo?.password ?? PASSWORD;
  const user = await signIn(window.origin, email, password);
  await window.storeSession({
    ...{ uid: user.localId, email, displayName: user.displayName, emailVerified: demo !== undefined },
    ...{ isAnonymous: false, providerData: [] },
    stsTokenManager: {
      accessToken: user.idToken,
      refreshToken: user.refreshToken,
      expirationTime: Date.now() + 3_600_000,
    },
    ...{ apiKey: "emulator-only", appName: "[DEFAULT]" },
  });
  const person = { email, password, isOwn: demo === undefined };
  return { person, api: apiWith(window.origin, user.idToken) };
}

export type Api = (method: string, path: string, body?: object) => Promise<Response>;

/** Calls the API as a demo person. */
export async function apiAs(origin: string, name: DemoName): Promise<Api> {
  const { email, password } = demoAccount(name);
  const { idToken } = await signIn(origin, email, password);
  return apiWith(origin, idToken);
}

/** Calls the API with a token or, without one, anonymously. */
export function apiWith(origin: string, token?: string): Api {
  return (method, path, body) =>
    fetch(origin + path, {
      method,
      headers: { "Content-Type": "application/json", ...(token && { Authorization: `Bearer ${token}` }) },
      ...(body && { body: JSON.stringify(body) }),
    });
}

/** Lifts suspensions of demo people that an operator may have imposed, for the next episode. */
export async function liftSuspensions(origin: string): Promise<void> {
  const asOperator = await apiAs(origin, "oda");
  for (const { uid, isOperator } of demoAccounts) {
    const change = { suspended: false, text: "The monkey test continues." };
    if (!isOperator) await asOperator("PATCH", `/profiles/${uid}/suspension`, change);
  }
}

async function signIn(origin: string, email: string, password: string): Promise<User> {
  const response = await fetch(
    `${origin}/identitytoolkit.googleapis.com/v1/accounts:signInWithPassword?key=any`,
    {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ email, password, returnSecureToken: true }),
    },
  );
  if (!response.ok) throw new Error(`${email} cannot log in: ${response.status} ${await response.text()}`);
  return (await response.json()) as User;
}

/** The identity provider's response to a login. */
type User = { localId: string; displayName: string; idToken: string; refreshToken: string };
