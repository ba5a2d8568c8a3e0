import { type OwnProfile, profileDraftSchema } from "@tasklane/server/contract";
import * as z from "zod/mini";
import { nameSchema, photoSchema } from "../../auth/account-fields.ts";
import { authFormError } from "../../auth/auth-form-error.ts";
import { isUploadedPhoto, requirePicture } from "../../auth/photo.ts";
import type { Auth } from "../../auth/session.tsx";
import type { ApiServices } from "../../lib/api-context.tsx";
import { type FormError, type FormValues, readForm, submitForm } from "../../lib/forms.ts";
import { ApiProblem } from "../../lib/problem.ts";
import { endpointQuery } from "../../lib/queries.ts";

/** The signed-in user's own profile. */
export const ownProfileQuery = endpointQuery(["me", "profile"], "GET /me/profile", {});

/** The form's fields. The photo is optional. */
const profileFormSchema = z.extend(profileDraftSchema, {
  name: nameSchema,
  photo: z.optional(photoSchema),
});

/** `sent` are the saved values; `theirs` is the profile if it was saved elsewhere while this form was open. */
export type ProfileResult =
  | { ok: true; version: number; sent: FormValues }
  | (FormError & { theirs?: OwnProfile });

/**
 * Saves name and photo at the identity provider, then the rest, with a new token that contains them. If a step fails,
 * the form can simply be saved again.
 */
export async function submitProfile(
  { session, api, queryClient }: ApiServices & { session: Auth },
  form: FormData,
  version: number,
): Promise<ProfileResult> {
  const latest = () => queryClient.fetchQuery({ ...ownProfileQuery, staleTime: 0 });
  const sent = readForm(profileFormSchema, form);
  const result = await submitForm(
    form,
    profileFormSchema,
    async ({ name, photo = null, ...body }, idempotencyKey) => {
      const user = await session.ready();
      if (name !== user?.displayName || photo !== user.photoURL) {
        if (photo && photo !== user?.photoURL) await requirePicture(photo);
        // The provider has no versions, so a stale form would overwrite a newer name.
        if ((await latest()).version !== version) throw changedMeanwhile();
        await session.updateUser({ displayName: name, photoURL: photo });
        const replaced = photo !== user?.photoURL && isUploadedPhoto(user?.photoURL ?? "");
        if (replaced) await api.call("PUT /me/files", { body: { photo: [] }, isRepeatable: true });
      }
      const { data } = await api.call("PUT /me/profile", { version, idempotencyKey, body });
      return { version: data.version, sent };
    },
    authFormError,
  );
  // The newer version may come from an earlier attempt with this form whose response was lost.
  if (result.ok || (result.code !== "changed-meanwhile" && result.code !== "key-reused")) return result;
  const theirs = await latest().catch(() => undefined);
  return { ...result, ...(theirs && theirs.version !== version && { theirs }) };
}

function changedMeanwhile(): ApiProblem {
  return new ApiProblem("changed-meanwhile", 412, "This was changed in the meantime.");
}
