import { randomUUID } from "node:crypto";
import type { Database } from "../src/db/client.ts";
import { aPersonDoc } from "./builders.ts";

const nowS = () => Math.floor(Date.now() / 1000);

/** The password of every account in the tests. */
const PASSWORD = "Secret-pass-1";

/** Somebody with an account at the Auth emulator and a fresh ID token. */
export type Person = { uid: string; email: string; name: string; token: string };

/** Signs a person up with email and password through the emulator's REST API, as the SDK does. */
export async function signUp(
  profile: { name?: string; photoUrl?: string; email?: string } = {},
): Promise<Person> {
  const { name = "Ada Client", photoUrl, email = `${randomUUID()}@people.example` } = profile;
  const account = { email, password: PASSWORD, displayName: name };
  const second = nowS();
  const { localId: uid, idToken } = await callProvider("signUp", account);
  const person = { uid, email, name, token: idToken };
  if (photoUrl !== undefined) await callProvider("update", { idToken, photoUrl });
  // Only a new token carries a photo. And the emulator revokes the first one if the second ended while it was issued.
  return photoUrl === undefined && second === nowS() ? person : logIn(person);
}

/** The person with the token of a new login. */
export async function logIn(person: Person): Promise<Person> {
  const { idToken } = await callProvider("signInWithPassword", { email: person.email, password: PASSWORD });
  return { ...person, token: idToken };
}

/** Signs somebody up as an operator. */
export async function signUpOperator(
  database: Pick<Database, "people">,
  profile: { name?: string } = {},
): Promise<Person> {
  const person = await signUp({ name: "Olga Operator", ...profile });
  await makeOperator(database, person);
  return person;
}

/** Gives somebody the operator right, as the product's administrator would. */
export async function makeOperator({ people }: Pick<Database, "people">, person: Person): Promise<void> {
  const { uid: _id, email, name } = person;
  await people.insertOne(aPersonDoc({ _id, email, name, operator: true }));
}

/** Changes somebody's name and photo (or removes it) at the provider. @returns the person with a new token. */
export async function rename(person: Person, profile: { name: string; photoUrl?: string }): Promise<Person> {
  const { name, photoUrl } = profile;
  const photo = photoUrl ? { photoUrl } : { deleteAttribute: ["PHOTO_URL"] };
  await callProvider("update", { idToken: person.token, displayName: name, ...photo });
  return logIn({ ...person, name });
}

/** Signs somebody in with Google. @returns their token. */
export async function googleToken(email: string): Promise<string> {
  const google = JSON.stringify({ sub: email, email, email_verified: true });
  const credential = { postBody: `id_token=${encodeURIComponent(google)}&providerId=google.com` };
  const body = { requestUri: "http://localhost", returnIdpCredential: true, ...credential };
  return (await callProvider("signInWithIdp", body)).idToken;
}

/** Opens the verification link that the provider emails. @returns the person with a new token. */
export async function verifyEmail(person: Person): Promise<Person> {
  const { FIREBASE_AUTH_EMULATOR_HOST: host, FIREBASE_PROJECT_ID: project = "demo-tasklane" } = process.env;
  await callProvider("sendOobCode", { requestType: "VERIFY_EMAIL", idToken: person.token });
  const sent = await fetch(`http://${host}/emulator/v1/projects/${project}/oobCodes`);
  const { oobCodes } = (await sent.json()) as { oobCodes: { email: string; oobLink: string }[] };
  const link = oobCodes.findLast(({ email }) => email === person.email)?.oobLink;
  const response = await fetch(String(link));
  if (!response.ok) throw new Error(`the link does not work: ${response.status} ${await response.text()}`);
  return logIn(person);
}

/** Locks or deletes an account, or ends its sessions, at the identity provider, as the product's administrator would. */
export async function endAccount(
  { uid: localId }: Person,
  how: "disable" | "delete" | "revoke",
): Promise<void> {
  const change = {
    disable: { disableUser: true },
    revoke: { validSince: String(nowS() + 60) },
    delete: undefined,
  }[how];
  await callProvider(change ? "update" : "delete", { localId, ...change }, { Authorization: "Bearer owner" });
}

async function callProvider(
  method: string,
  body: object,
  headers: Record<string, string> = {},
): Promise<{ localId: string; idToken: string }> {
  const { FIREBASE_AUTH_EMULATOR_HOST: host } = process.env;
  const url = `http://${host}/identitytoolkit.googleapis.com/v1/accounts:${method}?key=test`;
  const response = await fetch(url, {
    method: "POST",
    headers: { "Content-Type": "application/json", ...headers },
    body: JSON.stringify({ ...body, returnSecureToken: true }),
  });
  if (!response.ok) throw new Error(`${method}: ${response.status} ${await response.text()}`);
  return (await response.json()) as { localId: string; idToken: string };
}

/** A token in the emulator's unsigned format with any claims, as an attacker can write it without a key. */
export function forgedToken(claims: {
  uid: string;
  email: string;
  name?: string;
  projectId: string;
  /** Seconds since it was issued; it expires after an hour. */
  ageS?: number;
}): string {
  const issuedS = nowS() - (claims.ageS ?? 0);
  const payload = {
    iss: `https://securetoken.google.com/${claims.projectId}`,
    aud: claims.projectId,
    sub: claims.uid,
    user_id: claims.uid,
    email: claims.email,
    name: claims.name,
    auth_time: issuedS,
    iat: issuedS,
    exp: issuedS + 3600,
    firebase: { identities: {}, sign_in_provider: "password" },
  };
  return `${encode({ alg: "none", typ: "JWT" })}.${encode(payload)}.`;
}

function encode(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString("base64url");
}
