import { type BidState, mayAct, type Task } from "@tasklane/server/contract";
import { stateNow } from "../../../lib/task-state.ts";

type Props = {
  task: Task;
  /** Whose bid it is, for those who do not see the row. */
  name: string;
  state: BidState;
  busy: boolean;
  awarding: boolean;
  onChange: (to: BidState) => void;
};

/** Shortlist, Decline and Award, as the task's state allows; the first two can be taken back. */
export function SortingButtons({ task, name, state, busy, awarding, onChange }: Props) {
  const now = stateNow(task);
  const button = (to: BidState, text: string, spoken: string, look: string) => (
    <button
      type="button"
      className={`btn btn-sm ${look}`}
      aria-label={`${text} ${spoken}`}
      aria-disabled={busy || undefined}
      onClick={() => onChange(to)}
    >
      {text}
    </button>
  );
  return (
    <>
      {mayAct("sort-bid", "client", now) && (
        <>
          {state === "shortlisted"
            ? button("placed", "Off the shortlist", `with ${name}`, "btn-outline")
            : button("shortlisted", "Shortlist", name, "btn-outline")}
          {state === "declined"
            ? button("placed", "Undo decline", `of ${name}`, "btn-outline")
            : button("declined", "Decline", name, "btn-ghost")}
        </>
      )}
      {mayAct("award", "client", now) &&
        button("awarded", awarding ? "Awarding…" : "Award", `to ${name}`, "btn-primary")}
    </>
  );
}
