import {
  BID_LIMITS,
  CATEGORIES,
  FREE_TEXT_FIELDS,
  isTerm,
  publicName,
  TASK_FIELDS,
  TASK_LIMITS,
  type TaskDraft,
} from "@tasklane/server/contract";
import type { ReactNode } from "react";
import { useAuth } from "../../../auth/session.tsx";
import { today } from "../../../lib/format.ts";
import { ContactHint } from "../../../ui/contact-hint.tsx";
import { Field } from "../../../ui/field.tsx";
import { ListField } from "../../../ui/list-field.tsx";
import { Avatar } from "../../../ui/person.tsx";
import { FileField } from "../../files/file-field.tsx";

/** The task's fields and its poster. */
export function TaskFields({ isNew, termsLocked }: { isNew: boolean; termsLocked: boolean }) {
  const field = (name: keyof TaskDraft) => ({
    name,
    label: TASK_FIELDS[name].label,
    required: true,
    readOnly: termsLocked && isTerm(name),
  });
  return (
    <>
      <Field
        {...field("title")}
        limit={TASK_LIMITS.title}
        placeholder="What should be done?"
        enterKeyHint="next"
      />
      <Field
        {...field("category")}
        options={CATEGORIES.map((category) => [category, category])}
        placeholder="Choose a category"
      />
      <Field
        {...field("description")}
        type="textarea"
        rows={6}
        limit={TASK_LIMITS.description}
        hint="What you will get, what you provide, and how you will know it is done."
      />
      <div className="grid grid-cols-1 gap-5 sm:grid-cols-2">
        <Field {...field("deadline")} type="date" {...(isNew && { min: today() })} />
        <Field
          {...field("deliverBy")}
          type="date"
          required={false}
          hint="Optional, for the work. Bids end on the deadline."
        />
      </div>
      <FileField label="Attach files" readOnly={termsLocked} />
      <Field {...field("budget")} unit="$" enterKeyHint="next" />
      <ListField
        name="skills"
        label={TASK_FIELDS.skills.label}
        readOnly={termsLocked}
        item="skill"
        max={TASK_LIMITS.skills}
        separator={/[,\n]/}
        hint="Optional. What the work needs: people search for it."
      />
      <Field
        {...field("screeningQuestion")}
        required={false}
        limit={BID_LIMITS.question}
        hint="Optional. Everybody who bids has to answer it, and only you can read the answers."
        enterKeyHint="send"
      />
      <ContactHint fields={FREE_TEXT_FIELDS} />
      <Field
        {...field("unlisted")}
        type="checkbox"
        hint="No list or search shows it: only people with the link, and those you invite, find it."
      />
      <PostingAs>
        <Field
          {...field("showEmail")}
          type="checkbox"
          hint="The freelancer you hire always gets it, and you get theirs."
        />
      </PostingAs>
    </>
  );
}

/** The poster's name and email from the account, in read-only fields. */
function PostingAs({ children }: { children: ReactNode }) {
  const { user } = useAuth();
  const name = publicName(user?.displayName);
  return (
    <fieldset aria-labelledby="posting-as" className="min-w-0 space-y-4 rounded-field bg-base-200 p-4">
      <div className="flex items-center gap-3">
        <Avatar name={name} src={user?.photoURL} size="sm" />
        <div className="min-w-0 grow text-sm">
          <p id="posting-as" className="quiet text-xs">
            Posting as
          </p>
          <input
            {...{ name: "name", value: name, readOnly: true }}
            aria-label="Your name"
            dir="auto"
            className="block min-h-6 w-full truncate font-semibold pointer-coarse:min-h-11"
          />
          <input
            {...{ name: "email", value: user?.email ?? "", readOnly: true }}
            aria-label="Your email"
            className="quiet block min-h-6 w-full truncate pointer-coarse:min-h-11"
          />
        </div>
      </div>
      {children}
    </fieldset>
  );
}
