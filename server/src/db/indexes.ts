import type { CollectionName } from "./collections.ts";

export type DeclaredIndex = {
  name: string;
  key: Record<string, 1 | -1>;
  unique?: true;
  expireAfterSeconds?: number;
  partialFilterExpression?: object;
};

const UNIQUE = { unique: true } as const;
const expiring = (expireAfterSeconds: number) => ({ expireAfterSeconds });
/** An index of only the documents that match. */
const partly = (partialFilterExpression: object) => ({ partialFilterExpression });
/** An index of only the documents that have this field. */
const having = (field: string) => partly({ [field]: { $exists: true } });

const NEWEST = { createdAt: -1, _id: -1 } as const;
const MOST_ACTIVE_FIRST = { lastActiveOn: -1, _id: 1 } as const;
/** After the order, so that the database skips people without reading them. */
const FIGURES = { "rating.average": 1, "jobs.from": 1, "jobs.to": 1 } as const;
const WITH_PROFILE = { "profile.version": { $exists: true } } as const;

/**
 * All indexes, by collection and name. Each list of tasks has an index with its filter first and its sort order after it, so the
 * database reads little more than one page. `_id` comes last in the order, to break ties.
 */
const DECLARED = {
  tasks: {
    // Public lists, of all tasks or one category. The fields after the order let the database skip tasks without
    // reading them: hidden ones, those that are not open, and those whose budget is out of range.
    newest: [{ ...NEWEST, deadline: 1, state: 1, hidden: 1, budget: 1 }],
    "by-deadline": [{ deadline: 1, _id: 1, state: 1, hidden: 1, budget: 1 }],
    "by-budget": [{ budget: 1, _id: 1, deadline: 1, state: 1, hidden: 1 }],
    "category-newest": [{ category: 1, ...NEWEST, deadline: 1, state: 1, hidden: 1, budget: 1 }],
    "category-by-deadline": [{ category: 1, deadline: 1, _id: 1, state: 1, hidden: 1, budget: 1 }],
    "category-by-budget": [{ category: 1, budget: 1, _id: 1, deadline: 1, state: 1, hidden: 1 }],
    // My tasks. One person has few enough that category, search and budget are checked in the documents.
    "owner-newest": [{ ownerId: 1, ...NEWEST }],
    "owner-by-deadline": [{ ownerId: 1, deadline: 1, _id: 1 }],
    // Statistics of profiles and dashboards, counted from the index alone.
    "owner-states": [{ ownerId: 1, state: 1, deadline: 1, "award.freelancerId": 1, hidden: 1 }],
    "hired-states": [{ "award.freelancerId": 1, state: 1, deadline: 1 }],
    // A freelancer's earnings by month, summed from the index alone. Partial: few tasks have an award.
    "hired-earnings": [
      { "award.freelancerId": 1, "award.at": 1, state: 1, "award.amount": 1 },
      having("award.freelancerId"),
    ],
    // Tasks whose client has bids to decide on. Partial, so that only a first bid and an award update it.
    "owner-undecided": [
      { ownerId: 1, deadline: 1, _id: 1 },
      partly({ state: "open", bidsCount: { $gt: 0 } }),
    ],
    // Undecided tasks of all clients by deadline, for reminders and automatic closing.
    undecided: [{ deadline: 1, _id: 1 }, partly({ state: "open", bidsCount: { $gt: 0 } })],
    // Featured tasks on Home. Within each number of bids, the database skips to the range of deadlines.
    featured: [{ bidsCount: -1, deadline: 1, _id: 1, state: 1, hidden: 1 }],
    // Unlisted tasks, which are taken from counts and sitemap. Partial: few tasks are.
    unlisted: [{ unlisted: 1, _id: 1 }, partly({ unlisted: true })],
    // Search. The category comes first although most searches have none: those merge the four categories in order, and
    // a search in one category does not read through all others. A task has some hundred entries here, so the deadline
    // is left out where it is not the order: a search reads the tasks anyway, to compare titles.
    "search-newest": [{ category: 1, searchKeys: 1, ...NEWEST, state: 1, hidden: 1 }],
    "search-by-deadline": [{ category: 1, searchKeys: 1, deadline: 1, _id: 1, state: 1, hidden: 1 }],
  },
  bids: {
    // Enforces one bid per freelancer and task.
    "one-per-freelancer": [{ taskId: 1, bidderId: 1 }, UNIQUE],
    "bidder-newest": [{ bidderId: 1, ...NEWEST }],
    // Received bids in each sort order, of one state or all.
    "inbox-newest": [{ taskId: 1, ...NEWEST, state: 1 }],
    "inbox-by-amount": [{ taskId: 1, amount: 1, _id: 1, state: 1 }],
    "inbox-by-days": [{ taskId: 1, days: 1, _id: 1, state: 1 }],
    // A freelancer's similar messages. Partial: most bids have no message, and short ones are not compared.
    "bidder-messages": [{ bidderId: 1, "print.keys": 1 }, having("print.keys")],
  },
  questions: {
    "task-newest": [{ taskId: 1, answered: 1, hidden: 1, ...NEWEST }],
    // A person's questions, on one task or all.
    asker: [{ askerId: 1, taskId: 1, ...NEWEST }],
    // A client's unanswered and answered questions.
    "client-newest": [{ clientId: 1, answered: 1, hidden: 1, ...NEWEST }],
  },
  people: {
    // People whose profile search engines may list.
    public: [{ _id: 1, publicSince: 1 }, having("publicSince")],
    // The directory of people: all of them, only those with reviews or with jobs, and by language, by category of their
    // jobs and by a gram of the search text. A search merges names and profiles in order.
    directory: [MOST_ACTIVE_FIRST, partly(WITH_PROFILE)],
    "directory-rating": [
      { ...MOST_ACTIVE_FIRST, ...FIGURES },
      partly({ ...WITH_PROFILE, "rating.average": { $exists: true } }),
    ],
    "directory-price": [
      { ...MOST_ACTIVE_FIRST, ...FIGURES },
      partly({ ...WITH_PROFILE, "jobs.to": { $exists: true } }),
    ],
    "directory-language": [
      { "profile.languages": 1, ...MOST_ACTIVE_FIRST, ...FIGURES },
      partly(WITH_PROFILE),
    ],
    "directory-category": [{ "jobs.categories": 1, ...MOST_ACTIVE_FIRST, ...FIGURES }, partly(WITH_PROFILE)],
    "directory-name": [{ nameGrams: 1, ...MOST_ACTIVE_FIRST }, partly(WITH_PROFILE)],
    "directory-profile": [{ profileGrams: 1, ...MOST_ACTIVE_FIRST }, partly(WITH_PROFILE)],
  },
  savedSearches: {
    "one-per-slot": [{ ownerId: 1, slot: 1 }, UNIQUE],
    // By category with a gram or a word of the text: finds the searches that a new task may match.
    match: [{ "match.keys": 1, mail: 1 }],
  },
  notifications: {
    "recipient-newest": [{ recipientId: 1, _id: -1 }],
    // Counts unread ones, and finds those that a new one replaces.
    unread: [{ recipientId: 1, readAt: 1, taskId: 1, kind: 1, actorId: 1 }],
    // Who is invited to a task.
    invited: [{ taskId: 1, recipientId: 1 }, partly({ kind: "invited" })],
    once: [
      { recipientId: 1, onceKeys: 1 },
      { ...UNIQUE, ...having("onceKeys") },
    ],
    // Other people's notifications that contain a person's name.
    actor: [{ actorId: 1 }, having("actorId")],
    // The few emails that are due or will be retried.
    "mail-due": [{ "mail.dueAt": 1 }, having("mail.dueAt")],
    forgotten: [{ createdAt: 1 }, expiring(180 * 86_400)],
  },
  // Few documents: a job is deleted once it is done.
  jobs: {
    due: [{ kind: 1, dueAt: 1, _id: 1 }],
    "announced-task": [
      { "announcement.taskId": 1, "announcement.version": 1, _id: 1 },
      having("announcement.taskId"),
    ],
  },
  agreements: {
    "task-newest": [{ taskId: 1, ...NEWEST }],
    client: [{ clientId: 1, ...NEWEST }],
    freelancer: [{ freelancerId: 1, ...NEWEST }],
  },
  invoices: {
    "one-per-number": [{ freelancerId: 1, number: 1 }, UNIQUE],
    task: [{ taskId: 1, number: 1 }],
    client: [{ clientId: 1, ...NEWEST }],
  },
  disputes: {
    "task-newest": [{ taskId: 1, ...NEWEST }],
    client: [{ clientId: 1, ...NEWEST }],
    freelancer: [{ freelancerId: 1, ...NEWEST }],
  },
  files: {
    person: [{ uid: 1, "place.kind": 1, ...NEWEST }],
    task: [{ "place.taskId": 1 }, having("place.taskId")],
    on: [{ "place.on": 1 }, having("place.on")],
    readers: [{ "place.readers": 1 }, having("place.readers")],
    unused: [{ expireAt: 1 }, having("expireAt")],
  },
  fileParts: { "in-order": [{ fileId: 1, offset: 1 }, UNIQUE] },
  reviews: {
    "one-per-side": [{ taskId: 1, authorId: 1 }, UNIQUE],
    "subject-newest": [{ subjectId: 1, shown: 1, ...NEWEST }],
    // The average, computed from the index alone.
    "subject-stars": [{ subjectId: 1, shown: 1, stars: 1 }],
    author: [{ authorId: 1 }],
  },
  reports: {
    "one-per-person": [{ reporterId: 1, subject: 1 }, UNIQUE],
    "unsettled-newest": [{ settled: 1, ...NEWEST }],
    "reason-newest": [{ settled: 1, reason: 1, ...NEWEST }],
    task: [{ taskId: 1 }],
    person: [{ personId: 1 }],
  },
  savedTasks: {
    // One per person and task; also reads who has saved a task, in batches.
    "one-per-person": [{ taskId: 1, personId: 1 }, UNIQUE],
    // A person's list, and all its ids from the index alone.
    "person-newest": [{ personId: 1, ...NEWEST, taskId: 1 }],
  },
  conversations: {
    // Enforces one per task and freelancer.
    "one-per-freelancer": [{ taskId: 1, freelancerId: 1 }, UNIQUE],
    "member-newest": [{ memberIds: 1, lastAt: -1, _id: -1 }],
    // All conversations of two people: blocking applies to each of them.
    pair: [{ clientId: 1, freelancerId: 1 }],
    unread: [{ unreadBy: 1 }, having("unreadBy")],
  },
  messages: { conversation: [{ conversationId: 1, number: 1 }, UNIQUE] },
  timeline: {
    "task-order": [{ taskId: 1, at: 1, _id: 1 }],
    "task-kind-order": [{ taskId: 1, kind: 1, at: 1, _id: 1 }],
    client: [{ clientId: 1, at: 1, _id: 1 }],
    freelancer: [{ freelancerId: 1, at: 1, _id: 1 }],
  },
  operatorQueue: {
    once: [{ key: 1 }, UNIQUE],
    "unsettled-newest": [{ settled: 1, ...NEWEST }],
    "kind-newest": [{ settled: 1, kind: 1, ...NEWEST }],
    person: [{ personId: 1 }],
    forgotten: [{ createdAt: 1 }, { ...expiring(180 * 86_400), ...partly({ settled: true }) }],
  },
  operatorLog: {
    newest: [NEWEST],
    operator: [{ operatorId: 1 }],
    person: [{ personId: 1 }, having("personId")],
    // Tells whether a deleted task was hidden.
    "task-order": [{ taskId: 1, createdAt: 1, _id: 1 }, having("taskId")],
  },
  suspensions: {
    pending: [{ pendingSince: 1 }, having("pendingSince")],
  },
  deletions: {
    unfinished: [{ finishedAt: 1 }],
    over: [{ expireAt: 1 }, expiring(0)],
  },
  rateLimits: {
    // Two instances that start a window at the same time share one document.
    "one-window": [{ key: 1 }, UNIQUE],
    over: [{ expire: 1 }, expiring(0)],
  },
  dayCounts: { over: [{ expireAt: 1 }, expiring(0)] },
  addressViews: { over: [{ expireAt: 1 }, expiring(0)] },
  idempotencyKeys: {
    once: [{ personId: 1, key: 1 }, UNIQUE],
    forgotten: [{ createdAt: 1 }, expiring(86_400)],
  },
} as const satisfies { [C in CollectionName]: Record<string, readonly [key: object, options?: object]> };

/** The name of a declared index of the collection. */
export type IndexName<C extends CollectionName> = keyof (typeof DECLARED)[C];

export const INDEXES = Object.fromEntries(
  Object.entries(DECLARED).map(([collection, indexes]) => [
    collection,
    Object.entries(indexes).map(([name, [key, options]]) => ({ name, key, ...options })),
  ]),
) as Record<CollectionName, DeclaredIndex[]>;

/**
 * Shard keys of the collections that can outgrow one machine; the others are not sharded. A unique index of a sharded
 * collection must begin with its key, and a write to one document must include it in the filter.
 */
export const SHARD_KEYS = {
  // Hashed, because ids increase with time and would all go to one shard.
  tasks: { _id: "hashed" },
  bids: { taskId: 1 },
  notifications: { recipientId: 1 },
  conversations: { taskId: 1 },
} as const satisfies { [C in CollectionName]?: Record<string, 1 | "hashed"> };
