import { designTasks } from "./design.ts";
import { marketingTasks } from "./marketing.ts";
import type { DemoTask } from "./types.ts";
import { webDevelopmentTasks } from "./web-development.ts";
import { writingTasks } from "./writing.ts";

export { demoAccounts } from "./accounts.ts";
export { demoHires } from "./hires.ts";
export type { DemoAccount, DemoHire, DemoReview, DemoTask } from "./types.ts";

export const demoTasks: DemoTask[] = [
  ...webDevelopmentTasks,
  ...designTasks,
  ...writingTasks,
  ...marketingTasks,
];
