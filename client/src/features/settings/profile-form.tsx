import { useQueryClient } from "@tanstack/react-query";
import {
  containsEmailAddress,
  type OwnProfile,
  PROFILE_LIMITS,
  profileDraftSchema,
  UNNAMED,
} from "@tasklane/server/contract";
import { useState } from "react";
import * as z from "zod/mini";
import { authFormError, NAME_LIMIT, nameSchema, photoSchema } from "../../auth/account-fields.ts";
import type { Person } from "../../auth/person.ts";
import { isUploadedPhoto, requirePicture } from "../../auth/photo.ts";
import { useAuth } from "../../auth/session.tsx";
import type { Api } from "../../lib/api.ts";
import { PROFILE_FORM, readDraft } from "../../lib/drafts.ts";
import { languageOptions } from "../../lib/languages.ts";
import { ApiProblem } from "../../lib/problem.ts";
import { ownProfileQuery } from "../../lib/queries.tsx";
import { ContactHint } from "../../ui/contact-hint.tsx";
import { Field } from "../../ui/field.tsx";
import { ListField } from "../../ui/list-field.tsx";
import { PhotoField } from "../../ui/photo-field.tsx";
import { SchemaForm, useDraft } from "../../ui/schema-form.tsx";
import { PhotoUpload } from "./photo-upload.tsx";

/** The form's fields. The photo is optional. */
const profileFormSchema = z.extend(profileDraftSchema, {
  name: nameSchema,
  photo: z.optional(photoSchema),
});

type ProfileFields = z.output<typeof profileFormSchema>;
type Props = { user: Person; profile: OwnProfile };

/** The form of the user's public profile: name, photo, and what they write about themselves. */
export function ProfileForm({ user, profile }: Props) {
  const displayName = user.displayName ?? "";
  const draft = useDraft(PROFILE_FORM);
  // The version that the form edits: anything saved later, for example in another tab, must not be overwritten unseen.
  const [version, setVersion] = useState(() => {
    const basis = readDraft(draft)?.basis;
    return typeof basis === "number" ? basis : profile.version;
  });
  const [isConflict, setIsConflict] = useState(false);
  const session = useAuth();
  const queryClient = useQueryClient();
  const latest = () => queryClient.fetchQuery({ ...ownProfileQuery, staleTime: 0 });

  /**
   * Saves name and photo at the identity provider, then the rest, with a new token that contains them. If a step fails,
   * the form can simply be saved again.
   */
  const save = async ({ name, photo: typedPhoto, ...body }: ProfileFields, call: Api["call"]) => {
    const photo = typedPhoto ?? null;
    const user = await session.ready();
    if (name !== user?.displayName || photo !== user.photoURL) {
      if (photo && photo !== user?.photoURL) await requirePicture(photo);
      // The provider has no versions, so a stale form would overwrite a newer name.
      if ((await latest()).version !== version) throw changedMeanwhile();
      await session.updateUser({ displayName: name, photoURL: photo });
      const replaced = photo !== user?.photoURL && isUploadedPhoto(user?.photoURL ?? "");
      if (replaced) await call("PUT /me/files", { body: { photo: [] }, isRepeatable: true });
    }
    const { data } = await call("PUT /me/profile", { version, body });
    return data.version;
  };
  const saveVersion: typeof save = async (...input) => {
    try {
      return await save(...input);
    } catch (error) {
      const isRefused =
        error instanceof ApiProblem && ["changed-meanwhile", "key-reused"].includes(error.code);
      const theirs = isRefused ? await latest().catch(() => undefined) : undefined;
      // The newer version may come from an earlier attempt with this form whose response was lost.
      setIsConflict(theirs !== undefined && theirs.version !== version);
      if (theirs) setVersion(theirs.version);
      throw error;
    }
  };

  return (
    <SchemaForm
      className="w-full"
      schema={profileFormSchema}
      stored={{ ...profile, name: displayName, photo: user.photoURL }}
      draft={PROFILE_FORM}
      basis={version}
      save={saveVersion}
      toError={authFormError}
      submit="Save profile"
      busy="Saving…"
      success="Your profile is saved."
      onSaved={setVersion}
      onDiscard={() => setIsConflict(false)}
      explain={(_, discard) =>
        isConflict ? (
          <>
            Your profile was saved in the meantime, for example in another tab or on another device. Save
            again to replace that with this form, or{" "}
            <button type="button" className="link" onClick={discard}>
              show what is saved
            </button>
            .
          </>
        ) : undefined
      }
    >
      <div className="grid grid-cols-1 gap-5 sm:grid-cols-2">
        <Field
          name="name"
          label="Name"
          limit={NAME_LIMIT}
          hint={nameHint(user)}
          autoComplete="name"
          enterKeyHint="next"
          required
        />
        <PhotoField upload={(use) => <PhotoUpload onUploaded={use} />} />
      </div>
      <Field
        name="headline"
        label="Headline"
        limit={PROFILE_LIMITS.headline}
        hint="What you do, in one line."
        placeholder="Booking pages for small shops"
        enterKeyHint="next"
      />
      <Field
        name="about"
        label="About you"
        type="textarea"
        rows={5}
        limit={PROFILE_LIMITS.about}
        hint="Your experience, how you work, when you can be reached. Everyone can read it."
      />
      <ContactHint fields={["headline", "about"]} isPublic />
      <ListField
        name="skills"
        label="Skills"
        item="skill"
        max={PROFILE_LIMITS.skills}
        separator={/[,\n]/}
        hint="One at a time, or several with commas between them."
      />
      <ListField
        name="languages"
        label="Working languages"
        item="language"
        max={PROFILE_LIMITS.languages}
        options={LANGUAGE_OPTIONS}
        hint="Languages you can work in."
      />
      <ListField
        name="links"
        label="Links"
        item="link"
        max={PROFILE_LIMITS.links}
        separator={/\s+/}
        inputMode="url"
        placeholder="https://…"
        hint="Your website, portfolio or code: https addresses."
      />
    </SchemaForm>
  );
}

const LANGUAGE_OPTIONS = languageOptions();

function nameHint({ displayName }: Person): string | undefined {
  if (!displayName) return `You have no name yet: others see “${UNNAMED}”.`;
  if (containsEmailAddress(displayName))
    return `Others see “${UNNAMED}” instead: a name cannot hold an email address.`;
  return undefined;
}

function changedMeanwhile(): ApiProblem {
  return new ApiProblem("changed-meanwhile", 412, "This was changed in the meantime.");
}
