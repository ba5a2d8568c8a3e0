import type { CollectionName, Collections } from "./collections.ts";

export type DeclaredIndex = {
  name: string;
  key: Record<string, 1 | -1>;
  unique?: true;
  expireAfterSeconds?: number;
  partialFilterExpression?: object;
};

const MOST_ACTIVE_FIRST = { lastActiveOn: -1, _id: 1 } as const;
/** After the order, so that the database skips people without reading them. */
const FIGURES = { "rating.average": 1, "jobs.from": 1, "jobs.to": 1 } as const;
const WITH_PROFILE = { "profile.version": { $exists: true } } as const;

/**
 * All indexes, by collection. Each list of tasks has an index with its filter first and its sort order after it, so the
 * database reads little more than one page. `_id` comes last in the order, to break ties.
 */
export const INDEXES = {
  tasks: [
    // Public lists, of all tasks or one category. The fields after the order let the database skip tasks without
    // reading them: hidden ones, those that are not open, and those whose budget is out of range.
    { name: "newest", key: { createdAt: -1, _id: -1, deadline: 1, state: 1, hidden: 1, budget: 1 } },
    { name: "by-deadline", key: { deadline: 1, _id: 1, state: 1, hidden: 1, budget: 1 } },
    { name: "by-budget", key: { budget: 1, _id: 1, deadline: 1, state: 1, hidden: 1 } },
    {
      name: "category-newest",
      key: { category: 1, createdAt: -1, _id: -1, deadline: 1, state: 1, hidden: 1, budget: 1 },
    },
    {
      name: "category-by-deadline",
      key: { category: 1, deadline: 1, _id: 1, state: 1, hidden: 1, budget: 1 },
    },
    { name: "category-by-budget", key: { category: 1, budget: 1, _id: 1, deadline: 1, state: 1, hidden: 1 } },
    // My tasks. One person has few enough that category, search and budget are checked in the documents.
    { name: "owner-newest", key: { ownerId: 1, createdAt: -1, _id: -1 } },
    { name: "owner-by-deadline", key: { ownerId: 1, deadline: 1, _id: 1 } },
    // Statistics of profiles and dashboards, counted from the index alone.
    {
      name: "owner-states",
      key: { ownerId: 1, state: 1, deadline: 1, "award.freelancerId": 1, hidden: 1 },
    },
    {
      name: "hired-states",
      key: { "award.freelancerId": 1, state: 1, deadline: 1 },
    },
    // A freelancer's earnings by month, summed from the index alone. Partial: few tasks have an award.
    {
      name: "hired-earnings",
      key: { "award.freelancerId": 1, "award.at": 1, state: 1, "award.amount": 1 },
      partialFilterExpression: { "award.freelancerId": { $exists: true } },
    },
    // Tasks whose client has bids to decide on. Partial, so that only a first bid and an award update it.
    {
      name: "owner-undecided",
      key: { ownerId: 1, deadline: 1, _id: 1 },
      partialFilterExpression: { state: "open", bidsCount: { $gt: 0 } },
    },
    // Undecided tasks of all clients by deadline, for reminders and automatic closing.
    {
      name: "undecided",
      key: { deadline: 1, _id: 1 },
      partialFilterExpression: { state: "open", bidsCount: { $gt: 0 } },
    },
    // Featured tasks on Home. Within each number of bids, the database skips to the range of deadlines.
    { name: "featured", key: { bidsCount: -1, deadline: 1, _id: 1, state: 1, hidden: 1 } },
    // Unlisted tasks, which are taken from counts and sitemap. Partial: few tasks are.
    { name: "unlisted", key: { unlisted: 1, _id: 1 }, partialFilterExpression: { unlisted: true } },
    // Search. The category comes first although most searches have none: those merge the four categories in order, and
    // a search in one category does not read through all others. A title has some fifty entries here, so the deadline
    // is left out where it is not the order: a search reads the tasks anyway, to compare titles.
    {
      name: "search-newest",
      key: { category: 1, titleGrams: 1, createdAt: -1, _id: -1, state: 1, hidden: 1 },
    },
    {
      name: "search-by-deadline",
      key: { category: 1, titleGrams: 1, deadline: 1, _id: 1, state: 1, hidden: 1 },
    },
  ],
  bids: [
    // Enforces one bid per freelancer and task.
    { name: "one-per-freelancer", key: { taskId: 1, bidderId: 1 }, unique: true },
    { name: "bidder-newest", key: { bidderId: 1, createdAt: -1, _id: -1 } },
    // Received bids in each sort order, of one state or all.
    { name: "inbox-newest", key: { taskId: 1, createdAt: -1, _id: -1, state: 1 } },
    { name: "inbox-by-amount", key: { taskId: 1, amount: 1, _id: 1, state: 1 } },
    { name: "inbox-by-days", key: { taskId: 1, days: 1, _id: 1, state: 1 } },
    // A freelancer's similar messages. Partial: most bids have no message, and short ones are not compared.
    {
      name: "bidder-messages",
      key: { bidderId: 1, "print.keys": 1 },
      partialFilterExpression: { "print.keys": { $exists: true } },
    },
  ],
  questions: [
    { name: "task-newest", key: { taskId: 1, answered: 1, hidden: 1, createdAt: -1, _id: -1 } },
    // A person's questions, on one task or all.
    { name: "asker", key: { askerId: 1, taskId: 1, createdAt: -1, _id: -1 } },
    // A client's unanswered and answered questions.
    { name: "client-newest", key: { clientId: 1, answered: 1, hidden: 1, createdAt: -1, _id: -1 } },
  ],
  people: [
    // People whose profile search engines may list.
    {
      name: "public",
      key: { _id: 1, publicSince: 1 },
      partialFilterExpression: { publicSince: { $exists: true } },
    },
    // The directory of people: all of them, only those with reviews or with jobs, and by language, by category of their
    // jobs and by a gram of the search text. A search merges names and profiles in order.
    { name: "directory", key: MOST_ACTIVE_FIRST, partialFilterExpression: WITH_PROFILE },
    {
      name: "directory-rating",
      key: { ...MOST_ACTIVE_FIRST, ...FIGURES },
      partialFilterExpression: { ...WITH_PROFILE, "rating.average": { $exists: true } },
    },
    {
      name: "directory-price",
      key: { ...MOST_ACTIVE_FIRST, ...FIGURES },
      partialFilterExpression: { ...WITH_PROFILE, "jobs.to": { $exists: true } },
    },
    {
      name: "directory-language",
      key: { "profile.languages": 1, ...MOST_ACTIVE_FIRST, ...FIGURES },
      partialFilterExpression: WITH_PROFILE,
    },
    {
      name: "directory-category",
      key: { "jobs.categories": 1, ...MOST_ACTIVE_FIRST, ...FIGURES },
      partialFilterExpression: WITH_PROFILE,
    },
    {
      name: "directory-name",
      key: { nameGrams: 1, ...MOST_ACTIVE_FIRST },
      partialFilterExpression: WITH_PROFILE,
    },
    {
      name: "directory-profile",
      key: { profileGrams: 1, ...MOST_ACTIVE_FIRST },
      partialFilterExpression: WITH_PROFILE,
    },
  ],
  savedSearches: [
    { name: "one-per-slot", key: { ownerId: 1, slot: 1 }, unique: true },
    // By category and one gram of the text: finds the searches that a new task may match.
    { name: "match", key: { "match.key": 1 } },
  ],
  notifications: [
    { name: "recipient-newest", key: { recipientId: 1, _id: -1 } },
    // Counts unread ones, and finds those that a new one replaces.
    { name: "unread", key: { recipientId: 1, readAt: 1, taskId: 1, kind: 1, actorId: 1 } },
    // Who is invited to a task.
    {
      name: "invited",
      key: { taskId: 1, recipientId: 1 },
      partialFilterExpression: { kind: "invited" },
    },
    {
      name: "once",
      key: { recipientId: 1, onceKeys: 1 },
      unique: true,
      partialFilterExpression: { onceKeys: { $exists: true } },
    },
    // Other people's notifications that contain a person's name.
    { name: "actor", key: { actorId: 1 }, partialFilterExpression: { actorId: { $exists: true } } },
    // The few emails that are due or will be retried.
    {
      name: "mail-due",
      key: { "mail.dueAt": 1 },
      partialFilterExpression: { "mail.dueAt": { $exists: true } },
    },
    { name: "forgotten", key: { createdAt: 1 }, expireAfterSeconds: 180 * 86_400 },
  ],
  // Few documents: a job is deleted once it is done.
  jobs: [
    { name: "due", key: { kind: 1, dueAt: 1, _id: 1 } },
    {
      name: "announced-task",
      key: { "announcement.taskId": 1, "announcement.version": 1, _id: 1 },
      partialFilterExpression: { "announcement.taskId": { $exists: true } },
    },
  ],
  agreements: [
    { name: "task-newest", key: { taskId: 1, createdAt: -1, _id: -1 } },
    { name: "client", key: { clientId: 1, createdAt: -1, _id: -1 } },
    { name: "freelancer", key: { freelancerId: 1, createdAt: -1, _id: -1 } },
  ],
  invoices: [
    { name: "one-per-number", key: { freelancerId: 1, number: 1 }, unique: true },
    { name: "task", key: { taskId: 1, number: 1 } },
    { name: "client", key: { clientId: 1, createdAt: -1, _id: -1 } },
  ],
  disputes: [
    { name: "task-newest", key: { taskId: 1, createdAt: -1, _id: -1 } },
    { name: "client", key: { clientId: 1, createdAt: -1, _id: -1 } },
    { name: "freelancer", key: { freelancerId: 1, createdAt: -1, _id: -1 } },
  ],
  files: [
    { name: "person", key: { uid: 1, "place.kind": 1, createdAt: -1, _id: -1 } },
    {
      name: "task",
      key: { "place.taskId": 1 },
      partialFilterExpression: { "place.taskId": { $exists: true } },
    },
    { name: "on", key: { "place.on": 1 }, partialFilterExpression: { "place.on": { $exists: true } } },
    {
      name: "readers",
      key: { "place.readers": 1 },
      partialFilterExpression: { "place.readers": { $exists: true } },
    },
    { name: "unused", key: { expireAt: 1 }, partialFilterExpression: { expireAt: { $exists: true } } },
  ],
  fileParts: [{ name: "in-order", key: { fileId: 1, offset: 1 }, unique: true }],
  reviews: [
    { name: "one-per-side", key: { taskId: 1, authorId: 1 }, unique: true },
    { name: "subject-newest", key: { subjectId: 1, shown: 1, createdAt: -1, _id: -1 } },
    // The average, computed from the index alone.
    { name: "subject-stars", key: { subjectId: 1, shown: 1, stars: 1 } },
    { name: "author", key: { authorId: 1 } },
  ],
  reports: [
    { name: "one-per-person", key: { reporterId: 1, subject: 1 }, unique: true },
    { name: "unsettled-newest", key: { settled: 1, createdAt: -1, _id: -1 } },
    { name: "reason-newest", key: { settled: 1, reason: 1, createdAt: -1, _id: -1 } },
    { name: "task", key: { taskId: 1 } },
    { name: "person", key: { personId: 1 } },
  ],
  savedTasks: [
    // One per person and task; also reads who has saved a task, in batches.
    { name: "one-per-person", key: { taskId: 1, personId: 1 }, unique: true },
    // A person's list, and all its ids from the index alone.
    { name: "person-newest", key: { personId: 1, createdAt: -1, _id: -1, taskId: 1 } },
  ],
  conversations: [
    // Enforces one per task and freelancer.
    { name: "one-per-freelancer", key: { taskId: 1, freelancerId: 1 }, unique: true },
    { name: "member-newest", key: { memberIds: 1, lastAt: -1, _id: -1 } },
    // All conversations of two people: blocking applies to each of them.
    { name: "pair", key: { clientId: 1, freelancerId: 1 } },
    {
      name: "unread",
      key: { unreadBy: 1 },
      partialFilterExpression: { unreadBy: { $exists: true } },
    },
  ],
  messages: [{ name: "conversation", key: { conversationId: 1, number: 1 }, unique: true }],
  timeline: [
    { name: "task-order", key: { taskId: 1, at: 1, _id: 1 } },
    { name: "client", key: { clientId: 1, at: 1, _id: 1 } },
    { name: "freelancer", key: { freelancerId: 1, at: 1, _id: 1 } },
  ],
  operatorQueue: [
    { name: "once", key: { key: 1 }, unique: true },
    { name: "unsettled-newest", key: { settled: 1, createdAt: -1, _id: -1 } },
    { name: "kind-newest", key: { settled: 1, kind: 1, createdAt: -1, _id: -1 } },
    { name: "person", key: { personId: 1 } },
    { name: "forgotten", key: { createdAt: 1 }, expireAfterSeconds: 180 * 86_400 },
  ],
  operatorLog: [
    { name: "newest", key: { createdAt: -1, _id: -1 } },
    { name: "operator", key: { operatorId: 1 } },
    { name: "person", key: { personId: 1 }, partialFilterExpression: { personId: { $exists: true } } },
    // Tells whether a deleted task was hidden.
    {
      name: "task-order",
      key: { taskId: 1, createdAt: 1, _id: 1 },
      partialFilterExpression: { taskId: { $exists: true } },
    },
  ],
  suspensions: [
    {
      name: "pending",
      key: { pendingSince: 1 },
      partialFilterExpression: { pendingSince: { $exists: true } },
    },
  ],
  deletions: [
    { name: "unfinished", key: { finishedAt: 1 } },
    { name: "over", key: { expireAt: 1 }, expireAfterSeconds: 0 },
  ],
  rateLimits: [
    // Two instances that start a window at the same time share one document.
    { name: "one-window", key: { key: 1 }, unique: true },
    { name: "over", key: { expire: 1 }, expireAfterSeconds: 0 },
  ],
  dayCounts: [{ name: "over", key: { expireAt: 1 }, expireAfterSeconds: 0 }],
  addressViews: [{ name: "over", key: { expireAt: 1 }, expireAfterSeconds: 0 }],
  idempotencyKeys: [
    { name: "once", key: { personId: 1, key: 1 }, unique: true },
    { name: "forgotten", key: { createdAt: 1 }, expireAfterSeconds: 86_400 },
  ],
} as const satisfies Record<keyof Collections, readonly DeclaredIndex[]>;

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

/** The name of a declared index of the collection. */
export type IndexName<C extends CollectionName> = (typeof INDEXES)[C][number]["name"];
