import { randomUUID } from "node:crypto";

/** What stands where the name of somebody stood who deleted their account. */
export const FORMER_MEMBER = "Former member";

const PREFIX = "former-";

/** What stands where their uid stood: random, so that it leads back to nobody. */
export function formerMemberId(): string {
  return `${PREFIX}${randomUUID()}`;
}

/** Is this the id of somebody who deleted their account? No provider's uid has this form. */
export function isFormerMember(id: string): boolean {
  return id.startsWith(PREFIX);
}
