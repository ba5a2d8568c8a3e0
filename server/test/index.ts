// What most tests of the API need. Tests without the product import a single file, which loads less.
export * from "./bid-helpers.ts";
export * from "./builders.ts";
export * from "./conversation-helpers.ts";
export * from "./deletion-helpers.ts";
export * from "./harness.ts";
export * from "./many-tasks.ts";
export * from "./people.ts";
export * from "./run-jobs.ts";
export * from "./serving.ts";
export * from "./task-scenes.ts";
