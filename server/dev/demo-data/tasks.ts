import { designTasks } from "./design.ts";
import { marketingTasks } from "./marketing.ts";
import { webDevelopmentTasks } from "./web-development.ts";
import { writingTasks } from "./writing.ts";

export const demoTasks = [...webDevelopmentTasks, ...designTasks, ...writingTasks, ...marketingTasks];
