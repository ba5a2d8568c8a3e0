import type { SavedSearchDraft } from "../../src/contract/index.ts";
import type { SavedSearchDoc } from "../../src/db/documents/people.ts";
import { matchOf } from "../../src/features/saved-searches/match-searches.ts";
import { daysBefore } from "./dates.ts";
import { idOf } from "./id-of.ts";
import { type DemoName, demoAccount } from "./people.ts";

/** What people look for again and again. */
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

/** Those as they are stored. */
export function savedSearchDocs(today: Date): SavedSearchDoc[] {
  return demoSearches.map((demo, slot) => savedSearchDoc(demo, slot, today));
}

function savedSearchDoc(
  { by, daysAgo, paused = false, ...draft }: (typeof demoSearches)[number],
  slot: number,
  today: Date,
): SavedSearchDoc {
  const { uid: ownerId } = demoAccount(by);
  const _id = idOf(`search:${by}:${draft.name}`);
  const createdAt = daysBefore(today, daysAgo);
  return { _id, ...draft, ownerId, slot, paused, match: matchOf(draft), createdAt };
}
