import type { Task } from "@tasklane/server/contract";

/** What a heart needs of a task. */
export type SavableTask = Pick<Task, "_id" | "title">;

const KEY = "tasklane.save";
/** Whoever logs in later than this has forgotten the heart that they pressed. In ms. */
const VALID_MS = 15 * 60_000;

/** Remembers, in this tab, the task that a visitor wants to save once they are logged in. */
export function rememberWanted({ _id, title }: SavableTask): void {
  try {
    sessionStorage.setItem(KEY, JSON.stringify({ _id, title, at: Date.now() }));
  } catch {
    // A forbidden storage: they press the heart once more.
  }
}

/** The task that was remembered, once. */
export function takeWanted(): SavableTask | undefined {
  try {
    const { _id, title, at } = JSON.parse(sessionStorage.getItem(KEY) ?? "{}");
    sessionStorage.removeItem(KEY);
    return typeof _id === "string" && Date.now() - at < VALID_MS ? { _id, title: String(title) } : undefined;
  } catch {
    return undefined;
  }
}
