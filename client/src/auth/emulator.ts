import { AuthFailure } from "./person.ts";

/** The Auth emulator, which the launcher proxies on the page's own origin. */
export const EMULATOR = { url: globalThis.location?.origin ?? "", projectId: "demo-tasklane" };

/**
 * Google's popup needs a script from Google's servers, which cannot be loaded offline. The emulator accepts an unsigned
 * ID token instead, so the person chooses an account and the rest is Firebase's regular Google sign-in.
 */
export async function localGoogleToken(): Promise<string> {
  const { chooseLocalGoogleAccount } = await import("./choose-local-google-account.ts");
  const account = await chooseLocalGoogleAccount();
  if (!account) throw new AuthFailure("popup-closed");
  const { email, name } = account;
  return JSON.stringify({ sub: `google-${email.toLowerCase()}`, email, email_verified: true, name });
}

/** The latest link that the emulator created for this person instead of emailing it. */
export async function mailedLink(
  requestType: MailedCode["requestType"],
  email: string | null,
): Promise<string | undefined> {
  const { url, projectId } = EMULATOR;
  const response = await fetch(`${url}/emulator/v1/projects/${projectId}/oobCodes`);
  const { oobCodes } = (await response.json()) as { oobCodes: MailedCode[] };
  const newest = oobCodes.findLast((code) => code.email === email && code.requestType === requestType);
  if (!newest) return undefined;
  const { pathname, search } = new URL(newest.oobLink);
  // Replace the emulator's own origin with the proxied one.
  return `${url}${pathname}${search}`;
}

type MailedCode = { email: string; requestType: "VERIFY_EMAIL" | "VERIFY_AND_CHANGE_EMAIL"; oobLink: string };
