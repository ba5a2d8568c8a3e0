import { useQueryClient } from "@tanstack/react-query";
import {
  containsEmailAddress,
  type OwnProfile,
  PROFILE_LIMITS,
  profileDraftSchema,
  UNNAMED,
} from "@tasklane/server/contract";
import { type RefObject, useRef, useState } from "react";
import * as z from "zod/mini";
import { authFormError, NAME_LIMIT, nameSchema, photoSchema } from "../../auth/account-fields.ts";
import type { Person } from "../../auth/person.ts";
import { isUploadedPhoto, requirePicture } from "../../auth/photo.ts";
import { type Auth, useAuth } from "../../auth/session.tsx";
import { type ApiServices, useApi } from "../../lib/api-context.tsx";
import { PROFILE_FORM, readDraft, removeDraft } from "../../lib/drafts.ts";
import { type FormError, type FormValues, formValues, readForm, submitForm } from "../../lib/forms.ts";
import { languageOptions } from "../../lib/languages.ts";
import { ApiProblem } from "../../lib/problem.ts";
import { ownProfileQuery } from "../../lib/queries.ts";
import { useSubmission } from "../../lib/submission.ts";
import { ActionForm, DraftNotice, useDraft } from "../../ui/action-form.tsx";
import { ContactHint } from "../../ui/contact-hint.tsx";
import { Field } from "../../ui/field.tsx";
import { ListField } from "../../ui/list-field.tsx";
import { notify } from "../../ui/notify.tsx";
import { PhotoField } from "../../ui/photo-field.tsx";
import { PhotoUpload } from "./photo-upload.tsx";

/** The form's fields. The photo is optional. */
const profileFormSchema = z.extend(profileDraftSchema, {
  name: nameSchema,
  photo: z.optional(photoSchema),
});

type Props = { user: Person; profile: OwnProfile };

/** The form of the user's public profile: name, photo, and what they write about themselves. */
export function ProfileForm({ user, profile }: Props) {
  // A new key remounts the form with the saved values after a draft is discarded.
  const [formKey, setFormKey] = useState(0);
  const form = useRef<HTMLFormElement>(null);
  const remount = () => {
    setFormKey(formKey + 1);
    // The button that had focus is gone.
    window.setTimeout(() => form.current?.querySelector<HTMLElement>('[name="name"]')?.focus());
  };
  return <Form key={formKey} ref={form} user={user} profile={profile} onDiscard={remount} />;
}

type FormProps = Props & { onDiscard: () => void; ref: RefObject<HTMLFormElement | null> };

function Form({ user, profile, onDiscard, ref }: FormProps) {
  const draft = useDraft(PROFILE_FORM);
  const [name, setName] = useState(user.displayName ?? "");
  const [storedDraft] = useState(() => readDraft(draft));
  const [isRestored, setIsRestored] = useState(storedDraft !== null);
  // The version that the form edits: anything saved later, for example in another tab, must not be overwritten unseen.
  const [version, setVersion] = useState(
    typeof storedDraft?.basis === "number" ? storedDraft.basis : profile.version,
  );
  const [start, setStart] = useState<Record<string, string>>(() =>
    formValues(profileFormSchema, { ...profile, name: user.displayName ?? "", photo: user.photoURL ?? "" }),
  );
  const services = { session: useAuth(), api: useApi(), queryClient: useQueryClient() };
  const saving = useSubmission((form: FormData) => submitProfile(services, form, version), draft);

  const onResult = (result: ProfileResult) => {
    if (result.ok) {
      setIsRestored(false);
      setVersion(result.version);
      setStart({ ...start, ...result.sent });
      notify.success("Your profile is saved.", { topic: "profile" });
    } else if (result.theirs) setVersion(result.theirs.version);
  };
  const discard = () => {
    removeDraft(draft);
    onDiscard();
  };

  return (
    <ActionForm
      ref={ref}
      submission={saving}
      name="profile"
      className="w-full"
      values={start}
      draft={draft}
      basis={version}
      submit="Save profile"
      busy="Saving…"
      onResult={onResult}
      explain={(error) =>
        error.theirs && (
          <>
            Your profile was saved in the meantime, for example in another tab or on another device. Save
            again to replace that with this form, or{" "}
            <button type="button" className="link" onClick={discard}>
              show what is saved
            </button>
            .
          </>
        )
      }
    >
      {isRestored && saving.state !== "submitting" && <DraftNotice onDiscard={discard} />}
      <div className="grid grid-cols-1 gap-5 sm:grid-cols-2">
        <Field
          name="name"
          label="Name"
          limit={NAME_LIMIT}
          hint={nameHint(user)}
          autoComplete="name"
          enterKeyHint="next"
          required
          onChange={setName}
        />
        <PhotoField name={name} upload={(use) => <PhotoUpload onUploaded={use} />} />
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
    </ActionForm>
  );
}

const LANGUAGE_OPTIONS = languageOptions();

function nameHint({ displayName }: Person): string | undefined {
  if (!displayName) return `You have no name yet: others see “${UNNAMED}”.`;
  if (containsEmailAddress(displayName))
    return `Others see “${UNNAMED}” instead: a name cannot hold an email address.`;
  return undefined;
}

/** `sent` are the saved values; `theirs` is the profile if it was saved elsewhere while this form was open. */
type ProfileResult = { ok: true; version: number; sent: FormValues } | (FormError & { theirs?: OwnProfile });

/**
 * Saves name and photo at the identity provider, then the rest, with a new token that contains them. If a step fails,
 * the form can simply be saved again.
 */
async function submitProfile(
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
