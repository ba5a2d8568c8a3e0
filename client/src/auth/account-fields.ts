import { avatarQuerySchema, containsEmailAddress, line } from "@tasklane/server/contract";
import * as z from "zod/mini";
import { apiOrigin } from "../lib/env.ts";
import { type FormError, invalidForm, toFormError } from "../lib/forms.ts";
import { ApiProblem } from "../lib/problem.ts";
import { initialsOf } from "../ui/avatar.tsx";
import { failureCode, failureText, WEAK_PASSWORD } from "./failure-text.ts";
import type { AuthFailureCode } from "./session.tsx";

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

/** The address of a picture of the name's initials, which the API draws; a figure if they are not letters or digits. */
export function generatedPhoto(name = ""): string {
  const { initials } = avatarQuerySchema.safeParse({ initials: initialsOf(name) }).data ?? {};
  // Prerendering knows no location.
  const address = `${apiOrigin || (globalThis.location?.origin ?? "")}/avatar.svg`;
  return initials ? `${address}?initials=${encodeURIComponent(initials)}` : address;
}

/** Whether this is the address of such a picture. */
export function isGeneratedPhoto(url: string): boolean {
  return url.startsWith(generatedPhoto());
}

/** The address of an uploaded photo. */
export function uploadedPhoto(id: string): string {
  return `${uploads()}${id}/content`;
}

/** Whether this is the address of such a photo. */
export function isUploadedPhoto(url: string): boolean {
  return url.startsWith(uploads());
}

const uploads = () => `${apiOrigin || (globalThis.location?.origin ?? "")}/files/`;

export const BROKEN_PHOTO = "This picture does not load. Check the address, or use another picture.";
const SLOW_PHOTO = "This picture takes too long to load. Try again, or use another picture.";
const TIMEOUT_MS = 10_000;

/** Loads a picture. @throws {ApiProblem} for the field `photo` if it does not load in time. */
export async function requirePicture(url: string): Promise<void> {
  if (isGeneratedPhoto(url)) return;
  const picture = new Image();
  picture.referrerPolicy = "no-referrer";
  picture.src = url;
  const detail = await Promise.race([
    picture.decode().then(
      () => "",
      () => BROKEN_PHOTO,
    ),
    new Promise<string>((resolve) => window.setTimeout(resolve, TIMEOUT_MS, SLOW_PHOTO)),
  ]);
  if (detail) throw new ApiProblem("invalid", 422, detail, { errors: [{ pointer: "#/photo", detail }] });
}
