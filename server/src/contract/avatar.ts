import * as z from "zod/mini";

/** `GET /avatar.svg`: one or two letters or digits of any script; without them, the picture is a figure. */
export const avatarQuerySchema = z.object({
  initials: z.optional(
    z
      .string({ error: "Give one or two letters or digits." })
      .check(z.maxLength(16), z.regex(/^(?:[\p{L}\p{N}]\p{M}*){1,2}$/u)),
  ),
});
