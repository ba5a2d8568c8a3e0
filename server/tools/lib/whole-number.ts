import { UserError } from "./user-error.ts";

/**
 * Reads a command line option that must be a whole number.
 * @throws {UserError} with the allowed range and how the command is used.
 */
export function wholeNumber(
  option: string,
  text: string,
  { min, max, usage }: { min: number; max: number; usage: string },
): number {
  const number = Number(text);
  if (Number.isInteger(number) && number >= min && number <= max) return number;
  throw new UserError(`--${option} is "${text}": use a whole number from ${min} to ${max}.\n${usage}`);
}
