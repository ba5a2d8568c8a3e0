/** SPEC section 5: at least 6 characters, with an uppercase and a lowercase letter. */
export function isStrongEnough(password: string): boolean {
  return password.length >= 6 && /\p{Lu}/u.test(password) && /\p{Ll}/u.test(password);
}
