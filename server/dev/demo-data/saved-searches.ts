import type { SavedSearchDraft } from "../../src/contract/index.ts";
import type { DemoName } from "./people.ts";

/** What people look for again and again. */
export const demoSearches: (SavedSearchDraft & { by: DemoName; daysAgo: number; paused?: boolean })[] = [
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
