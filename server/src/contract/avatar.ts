import * as z from "zod/mini";

const GRAPHEMES = new Intl.Segmenter("en-US");

/** `GET /avatar.svg`: one or two letters or digits of any script; without them, the picture is a figure. */
export const avatarQuerySchema = z.object({
  initials: z.optional(
    z.string({ error: "Give one or two letters or digits." }).check(
      z.maxLength(16),
      z.regex(/^[\p{L}\p{N}][\p{L}\p{N}\p{M}]*$/u),
      z.refine((initials) => [...GRAPHEMES.segment(initials)].length <= 2),
    ),
  ),
});
