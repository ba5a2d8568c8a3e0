import { CATEGORIES, calendarDate, TASK_LIMITS } from "@tasklane/server/contract";
import { useAuth } from "../../auth/auth-context.tsx";
import { Field } from "../../ui/old-field.tsx";
import type { TaskFormValues } from "./task-form-data.ts";

type Props = {
  /** What the fields start with. */
  values: TaskFormValues;
  /** Messages by field name. */
  errors: Record<string, string>;
  /** A new task cannot have a deadline in the past; an existing one may keep its own. */
  isNew: boolean;
  /** Title, category, description and budget cannot be changed any more. */
  termsLocked: boolean;
};

/** Title, category, description, deadline and budget, and who posts (SPEC section 2, Add Task). */
export function TaskFields({ values, errors, isNew, termsLocked }: Props) {
  const { user } = useAuth();
  const locked = termsLocked ? "bg-base-200" : "";
  return (
    <>
      <Field name="title" label="Title" error={errors["title"]} limit={TASK_LIMITS.title}>
        {(control) => (
          <input
            {...control}
            type="text"
            className={`input w-full ${locked}`}
            required
            readOnly={termsLocked}
            defaultValue={values.title}
            placeholder="What should be done?"
          />
        )}
      </Field>
      <Field name="category" label="Category" error={errors["category"]}>
        {(control) => (
          <select {...control} className={`select w-full ${locked}`} required defaultValue={values.category}>
            <option value="" disabled>
              Choose a category
            </option>
            {/* A select knows no readOnly, and a disabled one is not sent: here it offers what it holds. */}
            {CATEGORIES.filter((category) => !termsLocked || category === values.category).map((category) => (
              <option key={category}>{category}</option>
            ))}
          </select>
        )}
      </Field>
      <Field
        name="description"
        label="Description"
        error={errors["description"]}
        limit={TASK_LIMITS.description}
        hint="What you will get, what you provide, and how you will know it is done."
      >
        {(control) => (
          <textarea
            {...control}
            className={`textarea min-h-40 w-full ${locked}`}
            required
            readOnly={termsLocked}
            defaultValue={values.description}
          />
        )}
      </Field>
      <div className="grid grid-cols-1 gap-5 sm:grid-cols-2">
        <Field name="deadline" label="Deadline" error={errors["deadline"]}>
          {(control) => (
            <input
              {...control}
              type="date"
              className="input w-full"
              required
              min={isNew ? calendarDate(new Date()) : undefined}
              max="2099-12-31"
              defaultValue={values.deadline}
            />
          )}
        </Field>
        <Field name="budget" label="Budget (USD)" error={errors["budget"]}>
          {(control) => (
            <span className={`input w-full ${locked}`}>
              <span aria-hidden="true">$</span>
              <input
                {...control}
                type="number"
                inputMode="decimal"
                required
                min="0.01"
                max={TASK_LIMITS.budgetUsd}
                step="0.01"
                readOnly={termsLocked}
                defaultValue={values.budget}
              />
            </span>
          )}
        </Field>
        <Field name="email" label="Your email">
          {(control) => <input {...control} className="input w-full" readOnly value={user?.email ?? ""} />}
        </Field>
        <Field name="name" label="Your name">
          {(control) => (
            <input
              {...control}
              className="input w-full"
              readOnly
              value={user?.displayName ?? user?.email ?? ""}
            />
          )}
        </Field>
      </div>
      <ShowEmail checked={values.showEmail === "on"} />
    </>
  );
}

/** The poster's choice; on by default, as SPEC section 2 shows the buyer's e-mail on the details page. */
function ShowEmail({ checked }: { checked: boolean }) {
  return (
    <div className="flex items-start gap-3">
      <input
        id="field-showEmail"
        type="checkbox"
        name="showEmail"
        value="on"
        className="checkbox mt-0.5 checkbox-primary"
        aria-describedby="field-showEmail-hint"
        defaultChecked={checked}
      />
      <div className="space-y-1">
        <label htmlFor="field-showEmail" className="block text-sm font-semibold">
          Show my e-mail to signed-in visitors
        </label>
        <p id="field-showEmail-hint" className="quiet text-sm">
          Whoever you hire always gets it, and you get theirs.
        </p>
      </div>
    </div>
  );
}
