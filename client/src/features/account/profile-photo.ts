const ASK = "Enter the full https address of a picture, like https://example.com/me.jpg.";

const LONGEST = 2_000;
const TOO_LONG = "This address is too long: a picture's address can have at most 2,000 characters.";

/** What is wrong with a photo address, or null. Only https: anything else would be blocked or reveal visitors. */
export function photoError(address: string): string | null {
  if (address.trim().length > LONGEST) return TOO_LONG;
  try {
    return new URL(address.trim()).protocol === "https:" ? null : ASK;
  } catch {
    return ASK;
  }
}
