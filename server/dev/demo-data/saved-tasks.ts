import type { DemoName } from "./people.ts";

/** Which tasks people saved, for the list in the dashboard. */
export const demoSavedTasks: { key: string; by: DemoName; daysAgo: number }[] = [
  { key: "harbor-wayfinding", by: "mateo", daysAgo: 1 },
  { key: "trade-fair-booth", by: "mateo", daysAgo: 3 },
  // Awarded, and cancelled.
  { key: "ceramics-packaging", by: "mateo", daysAgo: 4 },
  { key: "studio-sign", by: "mateo", daysAgo: 6 },
  { key: "bike-rental-calendar", by: "linh", daysAgo: 2 },
  { key: "menu-redesign-bakery", by: "hana", daysAgo: 1 },
  { key: "bike-rental-calendar", by: "hana", daysAgo: 2 },
];
