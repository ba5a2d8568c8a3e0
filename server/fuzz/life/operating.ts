import { type Act, type Answer, changed, refuse } from "./acts.ts";
import { dayAfter, instant, type Life, type Person, type Task, tell, today } from "./model.ts";
import { DESCRIPTION, OPERATORS_REASON, OPERATORS_TEXT } from "./texts.ts";

type ActOf<Kind extends Act["kind"]> = Extract<Act, { kind: Kind }>;

export function post(life: Life, by: Person, { deadlineIn, budget, question }: ActOf<"post">): Answer {
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
    toldOnce: new Set(),
    remindedOn: undefined,
  });
  return changed();
}

/** What an operator hides stays hidden whatever becomes of a suspension, and what they show stays there. */
export function hide(life: Life, task: Task, by: Person, { hidden }: ActOf<"hide">): Answer {
  if (by !== "olga") return refuse("not-an-operator");
  if (task.deleted) return refuse("task-not-found");
  if (hidden ? task.hiddenBy === "operator" : !task.hiddenBy) return changed(0);
  task.hiddenBy = hidden ? "operator" : undefined;
  const why = hidden ? { reason: OPERATORS_REASON, text: OPERATORS_TEXT } : {};
  const kind = hidden ? "task-hidden" : "task-restored";
  tell(life, task, kind, task.owner, why);
  life.log.push(kind);
  return changed();
}

/** Open tasks of a suspended account are hidden until that is lifted. */
export function suspend(life: Life, by: Person, { whom, suspended }: ActOf<"suspend">): Answer {
  if (by !== "olga") return refuse("not-an-operator");
  if (whom === by) return refuse("own-account");
  if (life.suspended.has(whom) === suspended) return changed(0);
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

export function readNews({ told }: Life, by: Person): Answer {
  const unread = told[by].filter(({ read, heldBack }) => !read && !heldBack);
  for (const news of unread) news.read = true;
  return changed(unread.length);
}
