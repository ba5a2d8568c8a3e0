import { overview, profile } from "./dashboard.ts";
import {
  type Caller,
  CLIENTS,
  FREELANCERS,
  type Life,
  PEOPLE,
  type Person,
  stateOf,
  type Task,
} from "./model.ts";
import * as views from "./views.ts";

/** A read by somebody, and what it should return. */
export type Observation = {
  who: Caller;
  path: string;
  /** Undefined if they cannot see the task. */
  expected: unknown;
  /** Selects the part of the response to compare. */
  read?: (body: never) => unknown;
  /** The counting header and its expected value. */
  counts?: { header: "x-total-count" | "x-unread-count"; count: number };
  /** Rows may come in any order. */
  isUnordered?: true;
};

const CALLERS: readonly Caller[] = [...PEOPLE, "visitor"];

function page(life: Life, task: Task, who: Caller): Observation {
  return { who, path: `/tasks/${task.id}`, expected: views.page(life, task, who) };
}

function timeline(task: Task, who: Caller): Observation {
  return { who, path: `/tasks/${task.id}/timeline`, expected: views.timeline(task, who) };
}

function received(life: Life, task: Task): Observation {
  const path = `/tasks/${task.id}/bids`;
  const counts = { header: "x-total-count", count: task.bids.size } as const;
  if (task.deleted) return { who: task.owner, path, expected: undefined };
  return { who: task.owner, path, expected: views.received(life, task), counts };
}

function list(life: Life, who: Caller, path: string, tasks: Task[]): Observation {
  const expected = tasks.map((task) => views.row(life, task, who));
  return { who, path, expected, counts: { header: "x-total-count", count: tasks.length } };
}

const newest = (tasks: Task[]) => tasks.toReversed();
const publicTasks = (life: Life) => views.existing(life).filter(({ hiddenBy }) => !hiddenBy);
const openTasks = (life: Life) => publicTasks(life).filter((task) => stateOf(task, life) === "open");

const browse = (life: Life, who: Caller) => list(life, who, "/tasks?limit=9", newest(publicTasks(life)));
const browseOpen = (life: Life, who: Caller) =>
  list(life, who, "/tasks?state=open&limit=9", newest(openTasks(life)));

/** Most bids first, then the earliest deadline. */
function featured(life: Life): Observation {
  const order = (a: Task, b: Task) => b.bids.size - a.bids.size || a.deadline.localeCompare(b.deadline);
  const expected = openTasks(life)
    .sort(order)
    .map((task) => views.row(life, task, "visitor"));
  return { who: "visitor", path: "/tasks/featuretasks", expected };
}

function own(life: Life, who: Person): Observation {
  const tasks = newest(views.existing(life).filter(({ owner }) => owner === who));
  const expected = tasks.map((task) => views.ownRow(life, task, who));
  return { who, path: `/tasks?limit=9&email=${views.emailOf(who)}`, expected };
}

function ownBids(life: Life, who: Person): Observation {
  const expected = views.ownBids(life, who);
  return { who, path: "/me/bids", expected, counts: { header: "x-total-count", count: expected.length } };
}

function notificationsOf(life: Life, who: Person): Observation {
  const expected = views.notifications(life, who);
  const unread = life.notifications[who].filter(({ read, heldBack }) => !read && !heldBack).length;
  const counts = { header: "x-unread-count", count: unread } as const;
  return { who, path: "/me/notifications?limit=100", expected, isUnordered: true, counts };
}

type Overview = Record<"myTasks" | "tasksByState" | "hasBids", unknown> & {
  waiting: { kind: string; taskId: string; bids?: number }[];
};

function dashboard(life: Life, who: Person): Observation {
  const read = ({ myTasks, tasksByState, hasBids, waiting }: Overview) => ({
    myTasks,
    tasksByState,
    hasBids,
    waiting: waiting.map(({ kind, taskId, bids = "" }) => `${taskId} ${kind} ${bids}`.trim()).sort(),
  });
  return { who, path: "/me/overview", expected: overview(life, who), read };
}

function profiles(life: Life, who: Person): Observation {
  const expected = life.suspended.has(who) ? undefined : profile(life, who);
  const names = Object.keys(expected ?? {});
  const read = (body: Record<string, unknown>) => Object.fromEntries(names.map((name) => [name, body[name]]));
  return { who: "visitor", path: `/profiles/${who}`, expected, read };
}

function operatorsLog({ log }: Life): Observation {
  const read = (actions: { kind: string }[]) => actions.map(({ kind }) => kind);
  return { who: "olga", path: "/operators/log?limit=50", expected: log.toReversed(), read };
}

/** Everything that the people involved see, and in turn one bystander; expensive pages only for some. */
export function allObservations(life: Life): Observation[] {
  const { turn } = life;
  const freelancer = inTurn(turn, FREELANCERS);
  const bystander = inTurn(turn, PEOPLE);
  const sides = ({ owner, award, bids }: Task) => [owner, ...bids.keys(), ...(award ? [award.to] : [])];
  const concerned = PEOPLE.filter(
    (who) =>
      who === bystander ||
      life.notifications[who].length > 0 ||
      life.tasks.some((task) => sides(task).includes(who)),
  );
  return [
    ...life.tasks.flatMap((task) => [
      ...[...new Set<Caller>(["visitor", bystander, ...sides(task)])].map((who) => page(life, task, who)),
      ...(["visitor", task.owner, task.award?.to ?? freelancer] as const).map((who) => timeline(task, who)),
      received(life, task),
    ]),
    ...[browse(life, "visitor"), browseOpen(life, "fay"), featured(life), operatorsLog(life)],
    ...CLIENTS.map((who) => own(life, who)),
    ...concerned.flatMap((who) => [ownBids(life, who), notificationsOf(life, who)]),
    ...(["clara", freelancer] as const).flatMap((who) => [dashboard(life, who), profiles(life, who)]),
  ];
}

const inTurn = <T>(turn: number, all: readonly T[]): T => all[turn % all.length] as T;

/**
 * Some of what a step on this task affects, in turn: what one step skips is observed after the next ones, and everything
 * at the end of the sequence.
 */
export function observationsAfter(
  life: Life,
  task: Task,
  by: Caller,
  notified: readonly Person[],
): Observation[] {
  const { turn } = life;
  const { owner } = task;
  const bystander = inTurn(turn, CALLERS);
  const reader = inTurn(turn, [owner, ...notified]);
  const pages = new Set([inTurn(turn, ["visitor", bystander] as const), inTurn(turn, [owner, by])]);
  const lists = [
    received(life, task),
    browseOpen(life, "visitor"),
    notificationsOf(life, reader),
    own(life, owner),
    ownBids(life, views.isPerson(by) ? by : reader),
    browse(life, "visitor"),
    received(life, task),
    timeline(task, bystander),
    featured(life),
    browseOpen(life, by),
  ];
  return [
    ...[...pages].map((who) => page(life, task, who)),
    inTurn(2 * turn, lists),
    inTurn(2 * turn + 1, lists),
  ];
}

/** A refused step should change nothing. */
export function observationsAfterRefusal(life: Life, task: Task | undefined, by: Caller): Observation[] {
  return task ? [page(life, task, inTurn(life.turn, [by, task.owner]))] : [];
}

/** Time affects every task. */
export function observationsAfterWait(life: Life, notified: readonly Person[]): Observation[] {
  const { turn } = life;
  return [
    ...life.tasks.map((task) => page(life, task, inTurn(turn, ["visitor", task.owner]))),
    turn % 2 === 0 ? browseOpen(life, "visitor") : featured(life),
    ...(notified.length > 0 ? [notificationsOf(life, inTurn(turn, notified))] : []),
  ];
}
