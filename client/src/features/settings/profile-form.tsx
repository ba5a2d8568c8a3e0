import { useQueryClient } from "@tanstack/react-query";
import { containsEmailAddress, type OwnProfile, PROFILE_LIMITS, UNNAMED } from "@tasklane/server/contract";
import { type RefObject, useRef, useState } from "react";
import { NAME_LIMIT } from "../../auth/account-fields.ts";
import type { Person } from "../../auth/person.ts";
import { useAuth } from "../../auth/session.tsx";
import { useApi } from "../../lib/api-context.tsx";
import { PROFILE_FORM, readDraft, removeDraft } from "../../lib/drafts.ts";
import { languageOptions } from "../../lib/languages.ts";
import { useSubmission } from "../../lib/submission.ts";
import { ActionForm, DraftNotice, useDraft } from "../../ui/action-form.tsx";
import { ContactHint } from "../../ui/contact-hint.tsx";
import { Field } from "../../ui/field.tsx";
import { ListField, listValue } from "../../ui/list-field.tsx";
import { notify } from "../../ui/notify.tsx";
import { PhotoField } from "../../ui/photo-field.tsx";
import { PhotoUpload } from "./photo-upload.tsx";
import { type ProfileResult, submitProfile } from "./profile-data.ts";

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
  const [start, setStart] = useState(() => valuesOf(user, profile));
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

function valuesOf(user: Person, { headline, about, skills, links, languages }: OwnProfile) {
  return {
    name: user.displayName ?? "",
    photo: user.photoURL ?? "",
    headline,
    about,
    skills: listValue(skills),
    links: listValue(links),
    languages: listValue(languages),
  };
}

function nameHint({ displayName }: Person): string | undefined {
  if (!displayName) return `You have no name yet: others see “${UNNAMED}”.`;
  if (containsEmailAddress(displayName))
    return `Others see “${UNNAMED}” instead: a name cannot hold an email address.`;
  return undefined;
}
