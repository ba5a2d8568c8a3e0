import { CATEGORIES, calendarDate, TASK_LIMITS, type TaskDraft } from "@tasklane/server/contract";
import { type ReactNode, useEffect, useRef } from "react";
import { useAuth } from "../../auth/auth-context.tsx";
import { Field, focusFirstInvalid } from "../../ui/field.tsx";
import { FormAlert } from "../../ui/form-alert.tsx";
import type { TaskFormResult } from "./task-form-data.ts";

type Props = {
  /** The values to start with, when a task is updated. */
  task?: TaskDraft;
  result: TaskFormResult | undefined;
  children: ReactNode;
};

/**
 * The fields of Add Task and Update Task (SPEC sections 2 and 5). They are uncontrolled: whatever the server says,
 * what was typed stays until a save succeeds.
 */
export function TaskFields({ task, result, children }: Props) {
  const { user } = useAuth();
  const top = useRef<HTMLDivElement>(null);
  const failure = result && !result.ok ? result : undefined;
  const errors = failure?.fieldErrors ?? {};

  useEffect(() => {
    if (failure) focusFirstInvalid(top.current?.closest("form") ?? null);
  }, [failure]);

  return (
    <div ref={top} className="grid gap-5">
      <FormAlert>{failure?.message}</FormAlert>
      <Field name="title" label="Title" error={errors["title"]}>
        {(control) => (
          <input
            {...control}
            type="text"
            className="input w-full"
            required
            maxLength={TASK_LIMITS.title}
            defaultValue={task?.title}
            placeholder="What should be done?"
          />
        )}
      </Field>
      <Field name="category" label="Category" error={errors["category"]}>
        {(control) => (
          <select {...control} className="select w-full" required defaultValue={task?.category ?? ""}>
            <option value="" disabled>
              Choose a category
            </option>
            {CATEGORIES.map((category) => (
              <option key={category}>{category}</option>
            ))}
          </select>
        )}
      </Field>
      <Field
        name="description"
        label="Description"
        error={errors["description"]}
        hint="What you will get, what you provide, and how you will know it is done."
      >
        {(control) => (
          <textarea
            {...control}
            className="textarea min-h-40 w-full"
            required
            maxLength={TASK_LIMITS.description}
            defaultValue={task?.description}
          />
        )}
      </Field>
      <div className="grid gap-5 sm:grid-cols-2">
        <Field name="deadline" label="Deadline" error={errors["deadline"]}>
          {(control) => (
            <input
              {...control}
              type="date"
              className="input w-full"
              required
              min={task ? undefined : calendarDate(new Date())}
              max="2099-12-31"
              defaultValue={task?.deadline}
            />
          )}
        </Field>
        <Field name="budget" label="Budget (USD)" error={errors["budget"]}>
          {(control) => (
            <span className="input w-full">
              <span aria-hidden="true">$</span>
              <input
                {...control}
                type="number"
                inputMode="decimal"
                required
                min="0.01"
                max={TASK_LIMITS.budgetUsd}
                step="0.01"
                defaultValue={task?.budget}
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
      {children}
    </div>
  );
}
