import type { TaskDraft } from "../../src/contract/index.ts";

/** A valid draft of a task. Tests and tools build theirs on it, so a new required field is filled in only here. */
export function exampleTask(fields: Partial<TaskDraft> = {}): TaskDraft {
  return {
    title: "Build a booking page",
    category: "Web Development",
    description: "Two pages, one form.\nThe design is ready.",
    deadline: "2099-06-30",
    budget: 450.5,
    ...fields,
  };
}
