import { isCalendarDate, type Task, taskDraftSchema } from "@tasklane/server/contract";
import { GitCompareArrows } from "lucide-react";
import { useEffect, useRef } from "react";
import { formatDate, formatUsd } from "../../../lib/format.ts";
import { isCheckbox } from "../../../lib/forms.ts";
import { TaskStateMark } from "../task-state-mark.tsx";
import type { Difference } from "./merge.ts";
import { TASK_LABELS, type TaskFormValues } from "./task-form-values.ts";

export type Side = "mine" | "theirs";

type Props = {
  theirs: Task;
  /** Is the state of the task another one than when the form was opened? */
  stateMoved: boolean;
  differences: Difference[];
  /** The form's fields as they stand now. */
  values: TaskFormValues;
  onChoose: (side: Side, differences: Difference[]) => void;
  /** Saves the form with all its own values. */
  onKeepMine: () => void;
  onTakeTheirs: () => void;
  onContinue: () => void;
};

/** Two versions of a task side by side, field by field, and what can be done about it. Stands within the task's form. */
export function Conflict({ theirs, stateMoved, differences, values, onChoose, ...on }: Props) {
  const heading = useRef<HTMLHeadingElement>(null);
  const mayChoose = differences.some(({ fixed }) => !fixed);
  const isFixed = differences.length > 0 && !mayChoose;
  // Also for the next save in between.
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
          {stateMoved && (
            <p className="flex flex-wrap items-center gap-2 text-sm">
              The task is now: <TaskStateMark task={theirs} />
            </p>
          )}
        </div>
      </div>
      {differences.map((difference) => (
        <Choice
          key={difference.field}
          difference={difference}
          now={values[difference.field]}
          onChoose={(side) => onChoose(side, [difference])}
        />
      ))}
      <div className="flex flex-wrap gap-2">
        {!isFixed && (
          <button type="button" className="btn btn-sm btn-primary" onClick={on.onKeepMine}>
            Save my version
          </button>
        )}
        {mayChoose && (
          <button type="button" className="btn btn-outline btn-sm" onClick={on.onTakeTheirs}>
            Use the current version
          </button>
        )}
        <button type="button" className="btn btn-ghost btn-sm" onClick={on.onContinue}>
          Continue editing
        </button>
      </div>
    </section>
  );
}

type ChoiceProps = { difference: Difference; now: string; onChoose: (side: Side) => void };

function Choice({ difference: { field, mine, theirs, fixed }, now, onChoose }: ChoiceProps) {
  const chosen: Side = now === theirs ? "theirs" : "mine";
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
              // Not one of the form's own fields: what counts is the value of those.
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
                {inWords(field, side === "mine" ? mine : theirs)}
              </span>
            </span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}

function inWords(field: keyof TaskFormValues, value: string): string {
  if (isCheckbox(taskDraftSchema, field)) return value === "on" ? "Yes" : "No";
  if (value === "") return "(empty)";
  if (field === "deadline") return isCalendarDate(value) ? formatDate(value) : value;
  return field === "budget" && !Number.isNaN(Number(value)) ? formatUsd(Number(value)) : value;
}
