import { avatarQuerySchema } from "@tasklane/server/contract";
import { apiOrigin } from "../lib/env.ts";
import { ApiProblem } from "../lib/problem.ts";
import { initialsOf } from "../ui/person.tsx";

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
