import { avatarQuerySchema } from "@tasklane/server/contract";
import { apiOrigin } from "../lib/env.ts";
import { ApiProblem } from "../lib/problem.ts";
import { initialsOf } from "../ui/avatar.tsx";

/** The address of a picture of the name's initials, which the API draws; a figure if they are not letters or digits. */
export function generatedPhoto(name = ""): string {
  const { initials } = avatarQuerySchema.safeParse({ initials: initialsOf(name) }).data ?? {};
  const search = initials ? `?initials=${encodeURIComponent(initials)}` : "";
  // Prerendering knows no location.
  return `${apiOrigin || (globalThis.location?.origin ?? "")}/avatar.svg${search}`;
}

/** Whether this is the address of such a picture. */
export function isGeneratedPhoto(url: string): boolean {
  return url.startsWith(generatedPhoto());
}

const BROKEN = "This picture does not load. Check the address, or use another picture.";
const SLOW = "This picture takes too long to load. Try again, or use another picture.";
const TIMEOUT_MS = 10_000;

/** Loads a picture, without telling its host where it is shown. Resolves to what is wrong with it, if anything. */
export async function photoProblem(url: string): Promise<string | undefined> {
  if (isGeneratedPhoto(url)) return undefined;
  const picture = new Image();
  picture.referrerPolicy = "no-referrer";
  picture.src = url;
  const loading = picture.decode().then(
    () => undefined,
    () => BROKEN,
  );
  const timeout = new Promise<string>((resolve) => window.setTimeout(resolve, TIMEOUT_MS, SLOW));
  return Promise.race([loading, timeout]);
}

/** @throws {ApiProblem} for the field `photo` if the picture does not load. */
export async function requirePicture(url: string): Promise<void> {
  const detail = await photoProblem(url);
  if (detail) throw new ApiProblem("invalid", 422, detail, { errors: [{ pointer: "#/photo", detail }] });
}
