import type { SavedSearchDraft } from "../../../src/contract/index.ts";
import type { SavedSearchDoc } from "../../../src/db/documents/people.ts";
import type { SavedTaskDoc } from "../../../src/db/documents/tasks.ts";
import { matchOf } from "../../../src/features/saved-searches/match-searches.ts";
import { daysBefore, idOf } from "./ids-and-dates.ts";
import { type DemoName, demoAccount } from "./people.ts";

const demoSavedTasks: { key: string; by: DemoName; daysAgo: number }[] = [
  { key: "harbor-wayfinding", by: "mateo", daysAgo: 1 },
  { key: "trade-fair-booth", by: "mateo", daysAgo: 3 },
  // These two are awarded and cancelled.
  { key: "ceramics-packaging", by: "mateo", daysAgo: 4 },
  { key: "studio-sign", by: "mateo", daysAgo: 6 },
  { key: "bike-rental-calendar", by: "linh", daysAgo: 2 },
  { key: "menu-redesign-bakery", by: "hana", daysAgo: 1 },
  { key: "bike-rental-calendar", by: "hana", daysAgo: 2 },
];

export function savedTaskDocs(today: Date): SavedTaskDoc[] {
  return demoSavedTasks.map(({ key, by, daysAgo }) => ({
    _id: idOf(`saved:${key}:${by}`),
    personId: demoAccount(by).uid,
    taskId: idOf(`task:${key}`),
    createdAt: daysBefore(today, daysAgo),
  }));
}

const demoSearches: (SavedSearchDraft & { by: DemoName; daysAgo: number; paused?: boolean })[] = [
  {
    by: "mateo",
    daysAgo: 20,
    name: "Well-paid web work",
    category: "Web Development",
    minBudget: "500",
    state: "open",
    mail: "daily",
  },
  { by: "mateo", daysAgo: 6, name: "Anything with a map", search: "map", state: "open", mail: "at-once" },
  {
    by: "hana",
    daysAgo: 41,
    name: "Logos",
    search: "logo",
    category: "Design",
    state: "open",
    mail: "at-once",
  },
  {
    by: "linh",
    daysAgo: 12,
    name: "Small writing jobs",
    category: "Writing",
    maxBudget: "400",
    state: "open",
    mail: "never",
  },
  {
    by: "kofi",
    daysAgo: 33,
    name: "Newsletters",
    search: "newsletter",
    state: "open",
    mail: "daily",
    paused: true,
  },
];

export function savedSearchDocs(today: Date): SavedSearchDoc[] {
  return demoSearches.map(({ by, daysAgo, paused = false, ...draft }, slot) => ({
    _id: idOf(`search:${by}:${draft.name}`),
    ...draft,
    ownerId: demoAccount(by).uid,
    slot,
    paused,
    match: matchOf(draft),
    createdAt: daysBefore(today, daysAgo),
  }));
}
