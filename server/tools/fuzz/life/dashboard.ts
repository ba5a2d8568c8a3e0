import { DAY_MS, daysBetween, dueOn, type Life, type Person, stateOf, type Task, today } from "./model.ts";
import { clientRecord, existing } from "./views.ts";

const STATES = ["open", "awarded", "delivered", "completed", "cancelled", "expired"] as const;

/** Somebody's dashboard. */
export function overview(life: Life, who: Person): object {
  const own = existing(life).filter(({ owner }) => owner === who);
  const count = (state: string) => own.filter((task) => stateOf(task, life) === state).length;
  return {
    myTasks: own.length,
    tasksByState: Object.fromEntries(STATES.map((state) => [state, count(state)])),
    hasBids: life.tasks.some(({ bids }) => bids.has(who)),
    waiting: existing(life)
      .flatMap((task) => waitingFor(life, task, who))
      .sort(),
  };
}

/** What a person has to do on a task, by kind, with the number of bids to decide on. */
function waitingFor(life: Life, task: Task, who: Person): string[] {
  const { state, owner, award, deliveredAt } = task;
  const left = daysBetween(today(life), dueOn(task));
  const isHired = award?.to === who;
  const undecided = [...task.bids.values()].filter((bid) => bid.state !== "declined").length;
  const decides = state === "open" && undecided > 0;
  const isDue = left <= 6 && ((state === "open" && left >= 0 && !decides) || state === "awarded");
  const hasWaited = deliveredAt !== undefined && life.now - deliveredAt >= 14 * DAY_MS;
  const kinds = {
    accept: owner === who && state === "delivered",
    [`decide ${undecided}`]: owner === who && decides,
    deliver: isHired && state === "awarded",
    complete: isHired && state === "delivered" && hasWaited,
    deadline: owner === who && isDue,
    review: (owner === who || isHired) && state === "completed" && !task.reviews.has(who),
  };
  return Object.entries(kinds).flatMap(([kind, waits]) => (waits ? `${task.name} ${kind}` : []));
}

/** The statistics of somebody's public profile. */
export function profile(life: Life, who: Person): object {
  const jobs = existing(life).filter(({ award, state }) => award?.to === who && state === "completed");
  return { ...clientRecord(life, who), jobsCompleted: jobs.length };
}
