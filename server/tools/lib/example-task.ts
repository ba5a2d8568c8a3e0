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

/** Two drafts that differ in every field and have no default in any: tests try each field with them. */
export const COMPLETE_TASKS: readonly [Required<TaskDraft>, Required<TaskDraft>] = [
  {
    title: "Paint a fox",
    category: "Design",
    description: "In oil.",
    deadline: "2099-03-01",
    deliverBy: "2099-05-02",
    budget: 120.5,
    skills: ["Oil"],
    screeningQuestion: "Which foxes have you painted?",
    unlisted: true,
    showEmail: false,
  },
  {
    title: "Paint a wolf",
    category: "Writing",
    description: "In chalk.",
    deadline: "2099-03-02",
    deliverBy: "2099-05-01",
    budget: 99,
    skills: ["Chalk", "Ink"],
    screeningQuestion: "And which wolves?",
    unlisted: false,
    showEmail: true,
  },
];
