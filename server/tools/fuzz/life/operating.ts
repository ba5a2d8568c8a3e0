import { type Action, changed, type ExpectedResponse, refuse } from "./actions.ts";
import { dayAfter, instant, type Life, notify, type Person, type Task, today } from "./model.ts";
import { DESCRIPTION, OPERATORS_REASON, OPERATORS_TEXT } from "./texts.ts";

type ActionOf<Kind extends Action["kind"]> = Extract<Action, { kind: Kind }>;

export function post(
  life: Life,
  by: Person,
  { deadlineIn, budget, question }: ActionOf<"post">,
): ExpectedResponse {
  if (deadlineIn < 0) return refuse("invalid");
  const name = `task-${life.tasks.length}`;
  life.tasks.push({
    name,
    id: "",
    owner: by,
    postedAt: instant(life.now),
    terms: { title: `A logo for ${name}`, category: "Design", description: DESCRIPTION, budget, question },
    deadline: dayAfter(today(life), deadlineIn),
    showEmail: true,
    state: "open",
    deleted: false,
    hiddenBy: undefined,
    version: 0,
    bids: new Map(),
    bidIds: new Map(),
    award: undefined,
    wasAwarded: false,
    deliveredAt: undefined,
    remindAfter: undefined,
    reviews: new Map(),
    steps: [],
    notifiedOnce: new Set(),
    remindedOn: undefined,
  });
  return changed();
}

/** A task that an operator hides or restores stays so, regardless of suspensions. */
export function hide(life: Life, task: Task, by: Person, { hidden }: ActionOf<"hide">): ExpectedResponse {
  if (by !== "olga") return refuse("not-an-operator");
  if (task.deleted) return refuse("task-not-found");
  if (hidden ? task.hiddenBy === "operator" : !task.hiddenBy) return changed(0);
  if (task.owner === by) return refuse("own-case");
  task.hiddenBy = hidden ? "operator" : undefined;
  const why = hidden ? { reason: OPERATORS_REASON, text: OPERATORS_TEXT } : {};
  const kind = hidden ? "task-hidden" : "task-restored";
  notify(life, task, kind, task.owner, why);
  life.log.push(kind);
  return changed();
}

/** A suspended account's open tasks are hidden until the suspension is lifted. */
export function suspend(life: Life, by: Person, { whom, suspended }: ActionOf<"suspend">): ExpectedResponse {
  if (by !== "olga") return refuse("not-an-operator");
  if (life.suspended.has(whom) === suspended) return changed(0);
  if (whom === by) return refuse("own-case");
  if (suspended) life.suspended.add(whom);
  else life.suspended.delete(whom);
  for (const task of life.tasks) {
    if (task.owner !== whom || task.deleted) continue;
    if (suspended && task.state === "open") task.hiddenBy ??= "suspension";
    if (!suspended && task.hiddenBy === "suspension") task.hiddenBy = undefined;
  }
  life.log.push(suspended ? "account-suspended" : "suspension-lifted");
  return changed();
}

export function readNotifications({ notifications }: Life, by: Person): ExpectedResponse {
  const unread = notifications[by].filter(({ read, heldBack }) => !read && !heldBack);
  for (const notification of unread) notification.read = true;
  return changed(unread.length);
}
