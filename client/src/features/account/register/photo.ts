const ASK = "Enter the full https address of a picture, like https://example.com/me.jpg.";

/** What is wrong with a photo address, or null. Only https: anything else would be blocked or reveal visitors. */
export function photoError(address: string): string | null {
  try {
    return new URL(address.trim()).protocol === "https:" ? null : ASK;
  } catch {
    return ASK;
  }
}
