import type { CollectionName, Collections } from "./collections.ts";

export type DeclaredIndex = {
  name: string;
  key: Record<string, 1 | -1>;
  unique?: true;
  expireAfterSeconds?: number;
  partialFilterExpression?: object;
};

/**
 * Every index of the product, by collection, and the one place where they are declared. Each list of tasks has an index
 * that holds its filter first and its order after it, so the database reads a page and little more. `_id` ends them all:
 * with it every task has one place in every order.
 */
export const INDEXES = {
  tasks: [
    // All tasks, and the only filter that anybody may use alone. After their order the lists' indexes hold what a task is
    // passed over for: hidden tasks are in no public list, who wants open ones does not want what is awarded or past, and
    // a budget may be out of range.
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
    // My tasks. Few enough that category, search and budget are looked up in the tasks themselves.
    { name: "owner-newest", key: { ownerId: 1, createdAt: -1, _id: -1 } },
    { name: "owner-by-deadline", key: { ownerId: 1, deadline: 1, _id: 1 } },
    // Figures of profiles and dashboards, counted without looking into the tasks.
    {
      name: "owner-states",
      key: { ownerId: 1, state: 1, deadline: 1, "award.freelancerId": 1, hidden: 1 },
    },
    { name: "hired-states", key: { "award.freelancerId": 1, state: 1, deadline: 1 } },
    // What a freelancer was hired for, summed by month without looking into the tasks. Partial: few tasks have an award.
    {
      name: "hired-earnings",
      key: { "award.freelancerId": 1, "award.at": 1, state: 1, "award.amount": 1 },
      partialFilterExpression: { "award.freelancerId": { $exists: true } },
    },
    // Tasks whose client has bids to decide on. Partial: only a first bid and an award write it.
    {
      name: "owner-undecided",
      key: { ownerId: 1, deadline: 1, _id: 1 },
      partialFilterExpression: { state: "open", bidsCount: { $gt: 0 } },
    },
    // Deliveries whose client, or freelancer, is to be reminded.
    {
      name: "delivery-due",
      key: { "delivery.remindAt": 1, _id: 1 },
      partialFilterExpression: { state: "delivered" },
    },
    // The same for all clients, by deadline: those who are reminded, and tasks that close themselves.
    {
      name: "undecided",
      key: { deadline: 1, _id: 1 },
      partialFilterExpression: { state: "open", bidsCount: { $gt: 0 } },
    },
    // Home. Its range of deadlines is skipped to inside each number of bids.
    { name: "featured", key: { bidsCount: -1, deadline: 1, _id: 1, state: 1, hidden: 1 } },
    // Search. The category stands first although most searches name none: those merge the four categories in order,
    // and a search for what is rare in one category does not read through all others.
    // Each title stands in these some fifty times, so they do without the deadline where it is not the order: a search
    // reads its tasks anyway, to compare the title.
    {
      name: "search-newest",
      key: { category: 1, titleGrams: 1, createdAt: -1, _id: -1, state: 1, hidden: 1 },
    },
    {
      name: "search-by-deadline",
      key: { category: 1, titleGrams: 1, deadline: 1, _id: 1, state: 1, hidden: 1 },
    },
    // New tasks that saved searches are yet to be told of: few.
    {
      name: "alerts-due",
      key: { alertsDueAt: 1 },
      partialFilterExpression: { alertsDueAt: { $exists: true } },
    },
  ],
  bids: [
    // The rule "one bid per freelancer and task" lives here: nothing can get around it.
    { name: "one-per-freelancer", key: { taskId: 1, bidderId: 1 }, unique: true },
    { name: "bidder-newest", key: { bidderId: 1, createdAt: -1, _id: -1 } },
    // The client's inbox, in each of its orders, of one state or all.
    { name: "inbox-newest", key: { taskId: 1, createdAt: -1, _id: -1, state: 1 } },
    { name: "inbox-by-amount", key: { taskId: 1, amount: 1, _id: 1, state: 1 } },
    { name: "inbox-by-days", key: { taskId: 1, days: 1, _id: 1, state: 1 } },
    // Somebody's messages that may be nearly the same. Partial: most bids come without one, and short ones are not compared.
    {
      name: "bidder-messages",
      key: { bidderId: 1, "print.keys": 1 },
      partialFilterExpression: { "print.keys": { $exists: true } },
    },
  ],
  questions: [
    { name: "task-newest", key: { taskId: 1, answered: 1, hidden: 1, createdAt: -1, _id: -1 } },
    // What somebody asked: on one task, or anywhere.
    { name: "asker", key: { askerId: 1, taskId: 1, createdAt: -1, _id: -1 } },
    // What waits for a client's answer, and what they answered.
    { name: "client-newest", key: { clientId: 1, answered: 1, hidden: 1, createdAt: -1, _id: -1 } },
  ],
  people: [
    {
      name: "digest-due",
      key: { digestDueAt: 1 },
      partialFilterExpression: { digestDueAt: { $exists: true } },
    },
  ],
  savedSearches: [
    { name: "one-per-slot", key: { ownerId: 1, slot: 1 }, unique: true },
    // By category and one gram of the text: a new task finds those that may match.
    { name: "match", key: { "match.key": 1 } },
  ],
  notifications: [
    { name: "recipient-newest", key: { recipientId: 1, _id: -1 } },
    { name: "unread", key: { recipientId: 1, readAt: 1 } },
    {
      name: "once",
      key: { recipientId: 1, onceKey: 1 },
      unique: true,
      partialFilterExpression: { onceKey: { $exists: true } },
    },
    // Whose name stands in other people's notifications.
    { name: "actor", key: { actorId: 1 }, partialFilterExpression: { actorId: { $exists: true } } },
    // Emails that wait for their time, or to be tried again: few, and none where no email is sent.
    {
      name: "mail-due",
      key: { "mail.dueAt": 1 },
      partialFilterExpression: { "mail.dueAt": { $exists: true } },
    },
    // News of half a year ago is none.
    { name: "forgotten", key: { createdAt: 1 }, expireAfterSeconds: 180 * 86_400 },
  ],
  // Few documents: each goes once everybody was told.
  announcements: [
    { name: "due", key: { dueAt: 1 } },
    { name: "task", key: { taskId: 1, version: 1 } },
  ],
  reviews: [
    { name: "one-per-side", key: { taskId: 1, authorId: 1 }, unique: true },
    { name: "subject-newest", key: { subjectId: 1, createdAt: -1, _id: -1 } },
    // The average, counted without looking into the reviews.
    { name: "subject-stars", key: { subjectId: 1, stars: 1 } },
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
    // One for each person and task; and who has saved a task, in batches.
    { name: "one-per-person", key: { taskId: 1, personId: 1 }, unique: true },
    // Somebody's list, and the ids of all of it without looking into the documents.
    { name: "person-newest", key: { personId: 1, createdAt: -1, _id: -1, taskId: 1 } },
  ],
  conversations: [
    // The rule "one for each task and freelancer" lives here.
    { name: "one-per-freelancer", key: { taskId: 1, freelancerId: 1 }, unique: true },
    { name: "member-newest", key: { memberIds: 1, lastAt: -1, _id: -1 } },
    // All conversations of two people: whoever blocks the other does so in each of them.
    { name: "pair", key: { clientId: 1, freelancerId: 1 } },
    {
      name: "unread",
      key: { unreadBy: 1 },
      partialFilterExpression: { unreadBy: { $exists: true } },
    },
    {
      name: "notice-due",
      key: { noticeAt: 1 },
      partialFilterExpression: { noticeAt: { $exists: true } },
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
    // Whether a task was hidden when it was deleted.
    {
      name: "task-order",
      key: { taskId: 1, createdAt: 1, _id: 1 },
      partialFilterExpression: { taskId: { $exists: true } },
    },
  ],
  suspensions: [
    { name: "changed", key: { changedAt: 1 } },
    {
      name: "pending",
      key: { pendingSince: 1 },
      partialFilterExpression: { pendingSince: { $exists: true } },
    },
  ],
  closures: [
    { name: "since", key: { at: 1 } },
    // Kept longer than a token lives: no session from before outlives the record that ends it. And never forgotten before it
    // is finished: what is null does not expire.
    { name: "unfinished", key: { finishedAt: 1 }, expireAfterSeconds: 6 * 3_600 },
  ],
  rateLimits: [
    // Two instances that begin a window at the same moment begin one.
    { name: "one-window", key: { key: 1 }, unique: true },
    { name: "over", key: { expire: 1 }, expireAfterSeconds: 0 },
  ],
  bidDays: [{ name: "over", key: { expireAt: 1 }, expireAfterSeconds: 0 }],
  addressViews: [{ name: "over", key: { expireAt: 1 }, expireAfterSeconds: 0 }],
  idempotencyKeys: [
    { name: "once", key: { personId: 1, key: 1 }, unique: true },
    { name: "forgotten", key: { createdAt: 1 }, expireAfterSeconds: 86_400 },
  ],
} as const satisfies Record<keyof Collections, readonly DeclaredIndex[]>;

/**
 * By what the collections are split that outgrow one machine; the others stay whole. A unique index of a split collection
 * begins with its key, and whoever writes one document names it.
 */
export const SHARD_KEYS = {
  // A hashed key spreads ids, which rise with time.
  tasks: { _id: "hashed" },
  bids: { taskId: 1 },
  notifications: { recipientId: 1 },
  conversations: { taskId: 1 },
} as const satisfies { [C in CollectionName]?: Record<string, 1 | "hashed"> };

/** An index of a collection, by the name it is declared under. */
export type IndexName<C extends CollectionName> = (typeof INDEXES)[C][number]["name"];
