import type { Me, Notification, Task } from "@tasklane/server/contract";
import type { Person } from "../auth/auth-gateway.ts";

let count = 0;

/** Noon of that day (`YYYY-MM-DD`) in the machine's time zone, as an ISO instant. */
export function noonOf(day: string): string {
  return new Date(`${day}T12:00:00`).toISOString();
}

/** A valid task; override only what the test is about. */
export function aTask(overrides: Partial<Task> = {}): Task {
  count += 1;
  return {
    _id: count.toString(16).padStart(24, "0"),
    title: `Task number ${count}`,
    category: "Design",
    description: "Draw three variants and hand over the source files.",
    deadline: "2099-06-30",
    budget: 250,
    name: "Clara Client",
    bidsCount: 0,
    state: "open",
    clientId: "client-1",
    version: 0,
    createdAt: noonOf("2026-01-01"),
    ...overrides,
  };
}

/** A signed-in person. */
export function aPerson(overrides: Partial<Person> = {}): Person {
  return {
    uid: "u1",
    displayName: "Fay Lance",
    photoURL: null,
    email: "fay@example.com",
    emailVerified: true,
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
    taskId: "a".repeat(24),
    taskTitle: "Logo for a bakery",
    asClient: true,
    actor: "Fay Lance",
    amount: 120,
    read: false,
    createdAt: noonOf("2026-01-01"),
    ...overrides,
  };
}
