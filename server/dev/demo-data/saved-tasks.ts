import type { SavedTaskDoc } from "../../src/db/documents/tasks.ts";
import { daysBefore } from "./dates.ts";
import { idOf } from "./id-of.ts";
import { type DemoName, demoAccount } from "./people.ts";

/** Which tasks people saved, for the list in the dashboard. */
const demoSavedTasks: { key: string; by: DemoName; daysAgo: number }[] = [
  { key: "harbor-wayfinding", by: "mateo", daysAgo: 1 },
  { key: "trade-fair-booth", by: "mateo", daysAgo: 3 },
  // Awarded, and cancelled.
  { key: "ceramics-packaging", by: "mateo", daysAgo: 4 },
  { key: "studio-sign", by: "mateo", daysAgo: 6 },
  { key: "bike-rental-calendar", by: "linh", daysAgo: 2 },
  { key: "menu-redesign-bakery", by: "hana", daysAgo: 1 },
  { key: "bike-rental-calendar", by: "hana", daysAgo: 2 },
];

/** Those as they are stored. */
export function savedTaskDocs(today: Date): SavedTaskDoc[] {
  return demoSavedTasks.map((demo) => savedTaskDoc(demo, today));
}

function savedTaskDoc({ key, by, daysAgo }: (typeof demoSavedTasks)[number], today: Date): SavedTaskDoc {
  const personId = demoAccount(by).uid;
  return {
    _id: idOf(`saved:${key}:${by}`),
    personId,
    taskId: idOf(`task:${key}`),
    createdAt: daysBefore(today, daysAgo),
  };
}
