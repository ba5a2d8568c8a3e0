import { containsEmailAddress, line } from "@tasklane/server/contract";
import * as z from "zod/mini";
import { type FormError, invalidForm, toFormError } from "../lib/forms.ts";
import { ApiProblem } from "../lib/problem.ts";
import { failureCode, failureText, WEAK_PASSWORD } from "./failure-text.ts";
import type { AuthFailureCode } from "./person.ts";
import { isGeneratedPhoto, isUploadedPhoto } from "./photo.ts";

export const NAME_LIMIT = 80;

/** A person's display name. */
export const nameSchema = line("Name", NAME_LIMIT).check(
  z.refine((name) => !containsEmailAddress(name), "Everybody can read your name: leave out email addresses."),
);

/** An email address, validated like browsers' email inputs. */
export const emailSchema = z
  .string({ error: "Enter your email address." })
  .check(
    z.trim(),
    z.email({ pattern: z.regexes.html5Email, error: "Enter an email address, like ann@example.com." }),
  );

/** The password of an existing account. */
export const passwordSchema = z.string({ error: "Enter your password." }).check(z.minLength(1));

/** A new password: at least 6 characters, with an uppercase and a lowercase letter. */
export const newPasswordSchema = z
  .string({ error: WEAK_PASSWORD })
  .check(
    z.refine((password) => password.length >= 6 && /\p{Lu}/u.test(password) && /\p{Ll}/u.test(password)),
  );

const NO_PHOTO = "Enter the full https address of a picture, like https://example.com/me.jpg.";

const httpsUrl = z.url({ protocol: /^https$/ });

/**
 * The URL of a photo. Only https: anything else would be blocked by browsers, or reveal visitors to eavesdroppers.
 * Generated and uploaded photos come from the API, which a local installation serves over http.
 */
export const photoSchema = z.string({ error: NO_PHOTO }).check(
  z.trim(),
  z.maxLength(2_000, "This address is too long: a picture's address can have at most 2,000 characters."),
  z.refine((url) => isGeneratedPhoto(url) || isUploadedPhoto(url) || z.safeParse(httpsUrl, url).success),
);

/**
 * Converts a failed call to the identity provider, or to the API, into a form error.
 * @param fields maps failure codes to the field at which to show the message.
 */
export function authFormError(
  error: unknown,
  fields: Partial<Record<AuthFailureCode, string>> = {},
): FormError {
  if (error instanceof ApiProblem) return toFormError(error);
  const message = failureText(error);
  const field = fields[failureCode(error)];
  return field ? invalidForm([{ path: [field], message }]) : { ...toFormError(error), message };
}
