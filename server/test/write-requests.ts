import { ObjectId } from "mongodb";
import type { Test } from "supertest";
import { aBidDoc, aConversationDoc, aDelivery, anAwardOf, aProfileDraft, aTaskDraft } from "./builders.ts";
import type { Harness } from "./harness.ts";
import type { Person } from "./people.ts";

type Cast = { ada: Person; freelancer: Person; operator: Person };
type State = "awarded" | "delivered" | "completed";
type Fixtures = ReturnType<typeof writeFixtures>;

const LOGOS = { name: "Logos", search: "logo", category: "Design", mail: "daily" };
const LONG_AGO_MS = 20 * 86_400_000;

/** Creates what the requests of {@link WRITE_REQUESTS} need, for these people. */
export function writeFixtures({ as, database, insertTask }: Harness, cast: Cast) {
  const { ada, freelancer } = cast;

  /** Stores a task of Ada's, by default with the freelancer's bid. */
  async function insertTaskWithBid(state?: State, hasBid = true) {
    const _id = new ObjectId();
    const bidder = { bidderId: freelancer.uid, bidderName: freelancer.name, bidderEmail: freelancer.email };
    const bid = aBidDoc({ taskId: _id, ...bidder });
    if (hasBid) await database.bids.insertOne(bid);
    const award = state && { state, award: anAwardOf(bid) };
    // Long enough ago that the freelancer may complete the task without the client.
    const delivery = state === "delivered" && { delivery: aDelivery(new Date(Date.now() - LONG_AGO_MS)) };
    const owner = { ownerId: ada.uid, email: ada.email };
    await insertTask({ _id, ...owner, bidsCount: hasBid ? 1 : 0, ...award, ...delivery });
    return { task: String(_id), bid: String(bid._id) };
  }

  return {
    ...cast,
    as,
    database,
    insertTaskWithBid,
    inState: async (state: State) => (await insertTaskWithBid(state)).task,

    /** Asks Ada a question as the freelancer. @returns the question's path. */
    async askQuestion(): Promise<string> {
      const { task } = await insertTaskWithBid();
      const path = `/tasks/${task}/questions`;
      const { body } = await as(freelancer).post(path, { text: "Who hosts it?" }).expect(201);
      return `${path}/${body.insertedId}`;
    },

    /** Stores a conversation between the two without messages. @returns its path. */
    async insertConversation(): Promise<string> {
      const taskId = new ObjectId((await insertTaskWithBid("awarded")).task);
      const conversation = aConversationDoc({ taskId, clientId: ada.uid, freelancerId: freelancer.uid });
      await database.conversations.insertOne(conversation);
      return `/me/conversations/${conversation._id}`;
    },
  };
}

/** One request for each endpoint that writes on somebody's behalf, with an effect that repeating it would not have. */
export const WRITE_REQUESTS: Record<string, (fixtures: Fixtures) => Promise<() => Test>> = {
  postTask:
    async ({ as, ada }) =>
    () =>
      as(ada).post("/tasks", { ...aTaskDraft(), title: "The same" }),
  updateTask: async ({ as, ada, insertTaskWithBid }) => {
    const { task } = await insertTaskWithBid();
    return () => as(ada).put(`/tasks/${task}`, aTaskDraft()).set("If-Match", '"0"');
  },
  changeTaskState: async ({ as, ada, inState }) => {
    const task = await inState("awarded");
    return () => as(ada).patch(`/tasks/${task}/state`, { state: "completed" });
  },
  deleteTask: async ({ as, ada, insertTaskWithBid }) => {
    const { task } = await insertTaskWithBid();
    return () => as(ada).delete(`/tasks/${task}`);
  },
  setTaskVisibility: async ({ as, operator, insertTaskWithBid }) => {
    const { task } = await insertTaskWithBid();
    return () => as(operator).patch(`/tasks/${task}/visibility`, { hidden: true, reason: "spam" });
  },
  placeBid: async ({ as, freelancer, insertTaskWithBid }) => {
    const { task } = await insertTaskWithBid(undefined, false);
    return () => as(freelancer).patch(`/tasks/${task}/bid`);
  },
  withdrawBid: async ({ as, freelancer, insertTaskWithBid }) => {
    const { task } = await insertTaskWithBid();
    return () => as(freelancer).delete(`/tasks/${task}/bid`);
  },
  triageBid: async ({ as, ada, insertTaskWithBid }) => {
    const { task, bid } = await insertTaskWithBid();
    return () => as(ada).patch(`/tasks/${task}/bids/${bid}`, { state: "shortlisted" });
  },
  awardTask: async ({ as, ada, insertTaskWithBid }) => {
    const { task, bid } = await insertTaskWithBid();
    return () => as(ada).post(`/tasks/${task}/award`, { bidId: bid });
  },
  changeSettings:
    async ({ as, ada }) =>
    () =>
      as(ada).patch("/me", { emailNotices: true }),
  deleteAccount: async ({ as, ada }) => {
    await as(ada).get("/me");
    return () => as(ada).delete("/me");
  },
  readNotifications: async ({ as, ada, freelancer, inState }) => {
    const task = await inState("completed");
    await as(freelancer).post(`/tasks/${task}/reviews`, { stars: 5, text: "Good." }).expect(201);
    return () => as(ada).post("/me/notifications/read", {});
  },
  writeReview: async ({ as, freelancer, inState }) => {
    const task = await inState("completed");
    return () => as(freelancer).post(`/tasks/${task}/reviews`, { stars: 5, text: "Good." });
  },
  report: async ({ as, freelancer, insertTaskWithBid }) => {
    const { task } = await insertTaskWithBid();
    return () => as(freelancer).post("/reports", { taskId: task, reason: "spam" });
  },
  settleReport: async ({ as, database, freelancer, operator, insertTaskWithBid }) => {
    const { task } = await insertTaskWithBid();
    await as(freelancer).post("/reports", { taskId: task, reason: "spam" }).expect(201);
    const report = await database.reports.findOne({ taskId: new ObjectId(task) });
    return () => as(operator).patch(`/reports/${report?._id}`, { settled: true });
  },
  askQuestion: async ({ as, freelancer, insertTaskWithBid }) => {
    const { task } = await insertTaskWithBid();
    return () => as(freelancer).post(`/tasks/${task}/questions`, { text: "Who hosts it?" });
  },
  changeQuestions: async ({ as, ada, insertTaskWithBid }) => {
    const { task } = await insertTaskWithBid();
    return () => as(ada).patch(`/tasks/${task}/questions`, { closed: true });
  },
  answerQuestion: async ({ as, ada, askQuestion }) => {
    const question = await askQuestion();
    return () => as(ada).put(`${question}/answer`, { text: "We do." });
  },
  deleteQuestion: async ({ as, freelancer, askQuestion }) => {
    const question = await askQuestion();
    return () => as(freelancer).delete(question);
  },
  setQuestionVisibility: async ({ as, operator, askQuestion }) => {
    const question = await askQuestion();
    return () => as(operator).patch(`${question}/visibility`, { hidden: true, reason: "spam" });
  },
  openConversation: async ({ as, ada, insertTaskWithBid }) => {
    const { task, bid } = await insertTaskWithBid("awarded");
    return () => as(ada).post(`/tasks/${task}/bids/${bid}/conversation`);
  },
  sendMessage: async ({ as, ada, insertConversation }) => {
    const conversation = await insertConversation();
    return () => as(ada).post(`${conversation}/messages`, { text: "Hello." });
  },
  seeMessages: async ({ as, ada, freelancer, insertConversation }) => {
    const conversation = await insertConversation();
    await as(ada).post(`${conversation}/messages`, { text: "Hello." }).expect(201);
    return () => as(freelancer).post(`${conversation}/seen`, { number: 1 });
  },
  blockPerson: async ({ as, freelancer, insertConversation }) => {
    const conversation = await insertConversation();
    return () => as(freelancer).patch(`${conversation}/block`, { blocked: true });
  },
  deliverWork: async ({ as, freelancer, inState }) => {
    const task = await inState("awarded");
    return () => as(freelancer).post(`/tasks/${task}/deliveries`, { note: "All done.", links: [] });
  },
  requestChanges: async ({ as, ada, inState }) => {
    const task = await inState("delivered");
    return () => as(ada).post(`/tasks/${task}/changes`, { reason: "The logo is missing." });
  },
  completeUnanswered: async ({ as, freelancer, inState }) => {
    const task = await inState("delivered");
    return () => as(freelancer).post(`/tasks/${task}/completion`);
  },
  saveProfile:
    async ({ as, ada }) =>
    () =>
      as(ada).put("/me/profile", aProfileDraft()),
  saveTask: async ({ as, freelancer, insertTaskWithBid }) => {
    const { task } = await insertTaskWithBid();
    return () => as(freelancer).put(`/me/saved/${task}`);
  },
  unsaveTask: async ({ as, freelancer, insertTaskWithBid }) => {
    const { task } = await insertTaskWithBid();
    await as(freelancer).put(`/me/saved/${task}`).expect(200);
    return () => as(freelancer).delete(`/me/saved/${task}`);
  },
  saveSearch:
    async ({ as, ada }) =>
    () =>
      as(ada).post("/me/searches", LOGOS),
  changeSavedSearch: async ({ as, ada }) => {
    const { body } = await as(ada).post("/me/searches", LOGOS).expect(201);
    return () => as(ada).patch(`/me/searches/${body.insertedId}`, { paused: true });
  },
  deleteSavedSearch: async ({ as, ada }) => {
    const { body } = await as(ada).post("/me/searches", LOGOS).expect(201);
    return () => as(ada).delete(`/me/searches/${body.insertedId}`);
  },
  settleQueueItem: async ({ as, database, ada, operator }) => {
    const { body } = await as(ada).post("/tasks", aTaskDraft()).expect(201);
    const item = await database.operatorQueue.findOne({ taskId: new ObjectId(String(body.insertedId)) });
    return () => as(operator).patch(`/operators/queue/${item?._id}`, { settled: true });
  },
  setSuspension: async ({ as, freelancer, operator }) => {
    await as(freelancer).get("/me").expect(200);
    const change = { suspended: true, reason: "spam" };
    return () => as(operator).patch(`/profiles/${freelancer.uid}/suspension`, change);
  },
};
