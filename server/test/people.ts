import { randomUUID } from "node:crypto";

/** Everybody's. */
export const PASSWORD = "Secret-pass-1";

/** Somebody with an account at the Auth emulator and a fresh ID token. */
export type Person = { uid: string; email: string; name: string; token: string };

/** Signs a person up with email and password through the emulator's REST API, as the SDK does. */
export async function signUp(
  profile: { name?: string; photoUrl?: string; email?: string } = {},
): Promise<Person> {
  const { name = "Ada Client", photoUrl, email = `${randomUUID()}@people.example` } = profile;
  const { localId, idToken } = await identity("signUp", { email, password: PASSWORD });
  await identity("update", { idToken, displayName: name, ...(photoUrl && { photoUrl }) });
  // Only a token issued after the profile was set carries it.
  const fresh = await identity("signInWithPassword", { email, password: PASSWORD });
  return { uid: localId, email, name, token: fresh.idToken };
}

/** Signs somebody up whom a custom claim (`admin`) names an operator, as whoever runs the product would set it. */
export async function signUpOperator(profile: { name?: string } = {}): Promise<Person> {
  const { uid, email, name } = await signUp({ name: "Olga Operator", ...profile });
  const claims = { localId: uid, customAttributes: JSON.stringify({ admin: true }) };
  await identity("update", claims, { Authorization: "Bearer owner" });
  const fresh = await identity("signInWithPassword", { email, password: PASSWORD });
  return { uid, email, name, token: fresh.idToken };
}

/** Gives somebody another name, and photo or none, at the provider. @returns the person with a token that says so. */
export async function rename(person: Person, profile: { name: string; photoUrl?: string }): Promise<Person> {
  const { name, photoUrl } = profile;
  const photo = photoUrl ? { photoUrl } : { deleteAttribute: ["PHOTO_URL"] };
  await identity("update", { idToken: person.token, displayName: name, ...photo });
  const { idToken } = await identity("signInWithPassword", { email: person.email, password: PASSWORD });
  return { ...person, name, token: idToken };
}

/** The token of somebody who signs in with Google. */
export async function googleToken(email: string): Promise<string> {
  const google = JSON.stringify({ sub: email, email, email_verified: true });
  const credential = { postBody: `id_token=${encodeURIComponent(google)}&providerId=google.com` };
  const body = { requestUri: "http://localhost", returnIdpCredential: true, ...credential };
  return (await identity("signInWithIdp", body)).idToken;
}

/** Opens the link that the provider mails to prove an address. @returns the person with a token that says so. */
export async function verifyEmail(person: Person): Promise<Person> {
  const { FIREBASE_AUTH_EMULATOR_HOST: host, FIREBASE_PROJECT_ID: project = "demo-tasklane" } = process.env;
  await identity("sendOobCode", { requestType: "VERIFY_EMAIL", idToken: person.token });
  const sent = await fetch(`http://${host}/emulator/v1/projects/${project}/oobCodes`);
  const { oobCodes } = (await sent.json()) as { oobCodes: { email: string; oobLink: string }[] };
  const link = oobCodes.findLast(({ email }) => email === person.email)?.oobLink;
  const response = await fetch(String(link));
  if (!response.ok) throw new Error(`the link does not work: ${response.status} ${await response.text()}`);
  const { idToken } = await identity("signInWithPassword", { email: person.email, password: PASSWORD });
  return { ...person, token: idToken };
}

/** Locks or removes an account at the identity provider, as whoever runs the product would. */
export async function endAccount({ uid }: Person, how: "disable" | "delete"): Promise<void> {
  const owner = { Authorization: "Bearer owner" };
  if (how === "disable") await identity("update", { localId: uid, disableUser: true }, owner);
  else await identity("delete", { localId: uid }, owner);
}

async function identity(
  call: string,
  body: object,
  headers: Record<string, string> = {},
): Promise<{ localId: string; idToken: string }> {
  const { FIREBASE_AUTH_EMULATOR_HOST: host } = process.env;
  const url = `http://${host}/identitytoolkit.googleapis.com/v1/accounts:${call}?key=test`;
  const response = await fetch(url, {
    method: "POST",
    headers: { "Content-Type": "application/json", ...headers },
    body: JSON.stringify({ ...body, returnSecureToken: true }),
  });
  if (!response.ok) throw new Error(`${call}: ${response.status} ${await response.text()}`);
  return (await response.json()) as { localId: string; idToken: string };
}

/** A token in the emulator's unsigned form with any claims: what an attacker can write without a key. */
export function forgedToken(claims: {
  uid: string;
  email: string;
  projectId: string;
  /** Seconds since it was issued; it is good for an hour. */
  ageS?: number;
}): string {
  const nowS = Math.floor(Date.now() / 1000) - (claims.ageS ?? 0);
  const payload = {
    iss: `https://securetoken.google.com/${claims.projectId}`,
    aud: claims.projectId,
    sub: claims.uid,
    user_id: claims.uid,
    email: claims.email,
    auth_time: nowS,
    iat: nowS,
    exp: nowS + 3600,
    firebase: { identities: {}, sign_in_provider: "password" },
  };
  return `${encode({ alg: "none", typ: "JWT" })}.${encode(payload)}.`;
}

function encode(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString("base64url");
}
