import { isCalendarDate, type Task, taskDraftSchema } from "@tasklane/server/contract";
import { GitCompareArrows } from "lucide-react";
import { useEffect, useRef } from "react";
import { formatDate, formatUsd } from "../../../lib/format.ts";
import { isCheckbox } from "../../../lib/forms.ts";
import { TaskStateBadge } from "../task-state-badge.tsx";
import type { Difference } from "./merge.ts";
import { TASK_LABELS, type TaskFormValues } from "./task-form-values.ts";

export type Side = "mine" | "theirs";

type Props = {
  theirs: Task;
  /** Whether the task's state has changed since the form was opened. */
  stateChanged: boolean;
  differences: Difference[];
  /** The form's current values. */
  values: TaskFormValues;
  onChoose: (side: Side, differences: Difference[]) => void;
  /** Saves the form with the user's own value in every field. */
  onKeepMine: () => void;
  onTakeTheirs: () => void;
  onContinue: () => void;
};

/** Shown in the task form: the user's and the saved version side by side, field by field, to choose from. */
export function Conflict({ theirs, stateChanged, differences, values, onChoose, ...handlers }: Props) {
  const heading = useRef<HTMLHeadingElement>(null);
  const mayChoose = differences.some(({ fixed }) => !fixed);
  const isFixed = differences.length > 0 && !mayChoose;
  // Again if yet another version was saved.
  useEffect(() => heading.current?.focus(), [theirs.version]);
  return (
    <section
      aria-labelledby="conflict"
      className="min-w-0 space-y-4 rounded-box border border-warning/50 bg-warning/8 p-4 sm:p-5"
    >
      <div className="flex items-start gap-3">
        <GitCompareArrows aria-hidden="true" className="mt-0.5 size-5 shrink-0 text-warning" />
        <div className="min-w-0 space-y-1">
          <h2 id="conflict" ref={heading} tabIndex={-1} className="font-semibold focus:outline-none">
            This task has changed since you opened it
          </h2>
          <p className="text-sm">
            Nothing is lost: what you typed is still here, and not saved yet.{" "}
            {mayChoose
              ? "Choose for each field below, then press Update Task, or decide for all of them at once."
              : isFixed
                ? "There is nothing to choose: the fields below are fixed. Press Update Task to save the rest."
                : "None of the fields below has changed."}
          </p>
          {stateChanged && (
            <p className="flex flex-wrap items-center gap-2 text-sm">
              The task is now: <TaskStateBadge task={theirs} />
            </p>
          )}
        </div>
      </div>
      {differences.map((difference) => (
        <Choice
          key={difference.field}
          difference={difference}
          current={values[difference.field]}
          onChoose={(side) => onChoose(side, [difference])}
        />
      ))}
      <div className="flex flex-wrap gap-2">
        {!isFixed && (
          <button type="button" className="btn btn-sm btn-primary" onClick={handlers.onKeepMine}>
            Save my version
          </button>
        )}
        {mayChoose && (
          <button type="button" className="btn btn-outline btn-sm" onClick={handlers.onTakeTheirs}>
            Use the current version
          </button>
        )}
        <button type="button" className="btn btn-ghost btn-sm" onClick={handlers.onContinue}>
          Continue editing
        </button>
      </div>
    </section>
  );
}

type ChoiceProps = { difference: Difference; current: string; onChoose: (side: Side) => void };

function Choice({ difference: { field, mine, theirs, fixed }, current, onChoose }: ChoiceProps) {
  const chosen: Side = current === theirs ? "theirs" : "mine";
  return (
    <fieldset className="min-w-0 space-y-2">
      <legend className="text-sm font-semibold">{TASK_LABELS[field]}</legend>
      {fixed && <p className="text-sm">Fixed since the award, so the current version stays.</p>}
      <div className="grid min-w-0 gap-2 sm:grid-cols-2">
        {(["mine", "theirs"] as const).map((side) => (
          <label
            key={side}
            className={`flex min-w-0 items-start gap-3 rounded-field border bg-base-100 p-3 text-sm ${chosen === side ? "border-primary" : "border-base-300"}`}
          >
            <input
              type="radio"
              className="radio mt-0.5 radio-sm radio-primary"
              // The prefix keeps it apart from the form's own fields, which hold the values to save.
              name={`choice-${field}`}
              checked={chosen === side}
              disabled={fixed && side === "mine"}
              onChange={() => onChoose(side)}
            />
            <span className="min-w-0 space-y-1">
              <span className="quiet block">{side === "mine" ? "Your version" : "Current version"}</span>{" "}
              <span
                dir="auto"
                className="block max-h-48 overflow-y-auto font-medium break-words whitespace-pre-line"
              >
                {displayValue(field, side === "mine" ? mine : theirs)}
              </span>
            </span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}

function displayValue(field: keyof TaskFormValues, value: string): string {
  if (isCheckbox(taskDraftSchema, field)) return value === "on" ? "Yes" : "No";
  if (value === "") return "(empty)";
  if (field === "deadline") return isCalendarDate(value) ? formatDate(value) : value;
  return field === "budget" && !Number.isNaN(Number(value)) ? formatUsd(Number(value)) : value;
}
