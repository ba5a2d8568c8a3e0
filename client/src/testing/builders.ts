import type { Bid, Me, Notification, Profile, ReceivedBid, Task, TaskEvent } from "@tasklane/server/contract";
import { COMPLETE_TASKS, exampleTask } from "../../../server/tools/lib/example-task.ts";
import type { Person } from "../auth/person.ts";
import { ApiProblem } from "../lib/problem.ts";

export { COMPLETE_TASKS };

let count = 0;

/** The id of the task that most tests are about. */
export const ID = "a".repeat(24);
const AT = "2026-11-01T10:00:00.000Z";

/** The viewer of a task: its client, a freelancer without a bid, or the one who was hired. */
export const CLIENT = { isOwner: true, hasBid: false, role: "client", hasReviewed: false } as const;
export const FREELANCER = { ...CLIENT, isOwner: false, role: "freelancer" } as const;
export const HIRED = { ...FREELANCER, hasBid: true, role: "hired" } as const;

/** The two sides of an award, each of whom sees the other as Jonas Lind. */
const contact = { id: "p1", name: "Jonas Lind", email: "j@example.com", emailVerified: true };
export const HIRER = { ...CLIENT, contact };
export const HIRED_BY = { ...HIRED, contact };

/** Why the server refuses a value. */
export function aRefusal(field: string, detail: string): ApiProblem {
  return new ApiProblem("invalid", 422, detail, { errors: [{ pointer: `#/${field}`, detail }] });
}

/** Noon of that day (`YYYY-MM-DD`) in the machine's time zone, as an ISO instant. */
export function noonOf(day: string): string {
  return new Date(`${day}T12:00:00`).toISOString();
}

/** A valid task; override only what the test is about. */
export function aTask(overrides: Partial<Task> = {}): Task {
  count += 1;
  return {
    ...exampleTask({
      title: `Task number ${count}`,
      category: "Design",
      description: "Draw three variants and hand over the source files.",
      budget: 250,
    }),
    _id: count.toString(16).padStart(24, "0"),
    name: "Clara Client",
    bidsCount: 0,
    state: "open",
    clientId: "client-1",
    version: 0,
    createdAt: noonOf("2026-01-01"),
    ...overrides,
  };
}

/** A task that a fake server stores. `change` does to it what a write does, which also gives it another version. */
export function aStoredTask(fields: Partial<Task> = {}) {
  const stored = {
    task: aTask({ _id: ID, title: "A fox", version: 3, ...fields }),
    change: (more: Partial<Task> = {}) => {
      stored.task = { ...stored.task, ...more, version: stored.task.version + 1 };
    },
  };
  return stored;
}

/** What the stream tells about {@link ID}, an open task. */
export function aTaskEvent(overrides: Partial<TaskEvent> = {}): TaskEvent {
  const revisions = { bidsRevision: 0, questionsRevision: 0, version: 0 };
  return { taskId: ID, bidsCount: 0, state: "open", ...revisions, ...overrides };
}

/** A signed-in person. */
export function aPerson(overrides: Partial<Person> = {}): Person {
  return {
    uid: "u1",
    displayName: "Fay Lance",
    photoURL: null,
    email: "fay@example.com",
    emailVerified: true,
    signInMethod: "password",
    ...overrides,
  };
}

/** The response of `GET /me` for a person who is not an operator, on a server that can send email. */
export function aMe(overrides: Partial<Me> = {}): Me {
  return {
    id: "u1",
    isOperator: false,
    unread: 0,
    unreadConversations: 0,
    emailNotices: false,
    mailChoices: {
      bids: "at-once",
      work: "at-once",
      payments: "at-once",
      messages: "at-once",
      other: "at-once",
    },
    inDirectory: true,
    emailAvailable: true,
    ...overrides,
  };
}

/** An unread notification of a new bid on the person's own task. */
export function aNotification(overrides: Partial<Notification> = {}): Notification {
  count += 1;
  return {
    _id: count.toString(16).padStart(24, "0"),
    kind: "new-bid",
    taskId: ID,
    taskTitle: "Logo for a bakery",
    asClient: true,
    actor: "Fay Lance",
    amount: 120,
    read: false,
    createdAt: noonOf("2026-01-01"),
    ...overrides,
  };
}

/** The signed-in person's bid of $250. */
export function aBid(overrides: Partial<Bid> = {}): Bid {
  return { _id: "b".repeat(24), amount: 250, state: "placed", createdAt: AT, updatedAt: AT, ...overrides };
}

/** A bid of "Fay N" for $(100 + N), as the client sees it. */
export function aReceivedBid(number: number, overrides: Partial<ReceivedBid> = {}): ReceivedBid {
  return {
    ...aBid({ _id: number.toString(16).padStart(24, "0"), amount: 100 + number }),
    freelancerId: `f${number}`,
    name: `Fay ${number}`,
    rating: { average: null, count: 0 },
    jobsCompleted: 0,
    ...overrides,
  };
}

/** The public profile of Jonas Lind. */
export function aProfile(overrides: Partial<Profile> = {}): Profile {
  return {
    ...{ id: "p1", name: "Jonas Lind", memberSince: "2026-03-05T10:00:00.000Z", lastActiveOn: "2026-03-06" },
    ...{
      tasksPosted: 4,
      tasksCompleted: 2,
      jobsCompleted: 7,
      hireRate: 0.5,
      rating: { average: 4.25, count: 12 },
    },
    ...{ headline: "", about: "", skills: [], links: [], languages: [], takesInvitations: true },
    ...overrides,
  };
}
