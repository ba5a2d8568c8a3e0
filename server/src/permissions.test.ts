import { ObjectId } from "mongodb";
import { beforeAll, describe, expect, test } from "vitest";
import {
  aBidDoc,
  aConversationDoc,
  aDelivery,
  anAwardOf,
  aProfileDraft,
  aQuestionDoc,
  aReportDoc,
  aTaskDraft,
} from "../test/builders.ts";
import { expectProblem, testFirebase, useHarness } from "../test/harness.ts";
import { endAccount, forgedToken, type Person, signUp, signUpOperator } from "../test/people.ts";
import { ACCESS, type Endpoint } from "./contract/endpoint.ts";
import { ALL_ENDPOINTS, type EndpointName } from "./contract/endpoints.ts";
import { ERRORS, type ErrorCode } from "./contract/index.ts";

/*
 * The permission matrix: every endpoint of the contract's table as every kind of caller, on the real database with real
 * tokens. A new row in the table is tested automatically, and needs an example request here.
 */
const harness = useHarness();

const VALID_CALLERS = ["anonymous", "stranger", "owner", "hired", "bidder", "operator"] as const;
const INVALID_CALLERS = ["disabled", "deleted", "erased", "suspended", "expired", "forged"] as const;
type Caller = (typeof VALID_CALLERS)[number] | (typeof INVALID_CALLERS)[number];

type Scene = {
  task: string;
  bid: string;
  question: string;
  report: string;
  item: string;
  notification: string;
  conversation: string;
};
type ExampleRequest = {
  state?: "awarded" | "delivered" | "completed";
  body?: (scene: Scene) => object;
  head?: true;
  status?: number;
};

/** For each endpoint a request that is valid, provided that the caller may send it. */
const EXAMPLE_REQUESTS: Record<EndpointName, ExampleRequest> = {
  listFeaturedTasks: {},
  listTasks: {},
  taskFeed: {},
  readTask: {},
  postTask: { body: () => aTaskDraft() },
  updateTask: { body: () => aTaskDraft({ title: "Another title" }) },
  changeTaskState: { body: () => ({ state: "cancelled" }) },
  deleteTask: {},
  setTaskVisibility: { body: () => ({ hidden: true, reason: "spam" }) },
  placeBid: { body: () => ({ amount: 12 }) },
  withdrawBid: {},
  listReceivedBids: {},
  triageBid: { body: () => ({ state: "shortlisted" }) },
  awardTask: { body: ({ bid }) => ({ bidId: bid }) },
  listMyBids: {},
  listQuestions: {},
  askQuestion: { body: () => ({ text: "Who hosts it?" }) },
  changeQuestions: { body: () => ({ closed: true }) },
  answerQuestion: { body: () => ({ text: "We do." }) },
  deleteQuestion: {},
  setQuestionVisibility: { body: () => ({ hidden: true, reason: "spam" }) },
  listSavedTasks: {},
  listSavedTaskIds: {},
  saveTask: {},
  unsaveTask: {},
  openConversation: {},
  listConversations: {},
  readConversation: {},
  listMessages: {},
  sendMessage: { body: () => ({ text: "Hello." }) },
  seeMessages: { body: () => ({ number: 1 }) },
  blockPerson: { body: () => ({ blocked: true }) },
  deliverWork: { state: "awarded", body: () => ({ note: "All done.", links: ["https://work.example/a"] }) },
  requestChanges: { state: "delivered", body: () => ({ reason: "The logo is missing." }) },
  completeUnanswered: { state: "delivered" },
  readTimeline: {},
  readMe: {},
  changeSettings: { body: () => ({ emailNotices: true }) },
  readOwnProfile: {},
  saveProfile: { body: () => aProfileDraft() },
  deleteAccount: {},
  listNotifications: {},
  readNotifications: { body: () => ({}) },
  // There is no change feed here, so callers with permission get a 503.
  followEvents: { head: true, status: 503 },
  readOverview: {},
  exportData: {},
  tasksAsCsv: {},
  bidsAsCsv: {},
  showUnsubscribe: {},
  // The key does not exist.
  unsubscribe: { status: 404 },
  listSavedSearches: {},
  saveSearch: { body: () => ({ name: "Logos", search: "logo", mail: "never" }) },
  changeSavedSearch: { body: () => ({ paused: true }), status: 404 },
  deleteSavedSearch: { status: 404 },
  showSearchUnsubscribe: {},
  // The key does not exist.
  unsubscribeSearch: { status: 404 },
  readProfile: {},
  drawAvatar: {},
  listReviews: {},
  writeReview: { state: "completed", body: () => ({ stars: 4, text: "As agreed." }) },
  report: { body: ({ task }) => ({ taskId: task, reason: "spam" }) },
  listReports: {},
  settleReport: { body: () => ({ settled: true }) },
  listQueue: {},
  settleQueueItem: { body: () => ({ settled: true }) },
  readOperatorLog: {},
  // Lifts a suspension that does not exist: a caller who is really suspended could not be used in later tests.
  setSuspension: { body: () => ({ suspended: false, text: "Not them." }) },
  health: {},
  readiness: {},
  describeApi: {},
  showApi: {},
  startApiPage: {},
  robots: {},
  sitemapIndex: {},
  sitemapPages: {},
  sitemapTasks: {},
  sitemapPeople: {},
};

/** What the table says: the error code, or "may". */
function expected(
  { name, access, open }: Endpoint & { name: EndpointName },
  caller: Caller,
): ErrorCode | "may" {
  if (open) return "may";
  // A deletion that was interrupted can be completed by a second request.
  if (caller === "erased" && name === "deleteAccount") return "may";
  if (caller === "suspended") return "account-suspended";
  if (INVALID_CALLERS.some((invalid) => invalid === caller)) return "session-expired";
  if (access === "anyone") return "may";
  if (caller === "anonymous") return "not-signed-in";
  const allowed: Record<typeof access, boolean> = {
    "signed-in": true,
    owner: caller === "owner",
    "not-owner": caller !== "owner",
    sides: caller === "owner" || caller === "hired",
    member: caller === "owner" || caller === "hired",
    hired: caller === "hired",
    operator: caller === "operator",
  };
  return allowed[access] ? "may" : (ACCESS[access] ?? "internal");
}

const people = new Map<Caller, Person>();
const personOf = (caller: Caller) => people.get(caller) as Person;

beforeAll(async () => {
  const { projectId } = testFirebase();
  for (const name of ["stranger", "owner", "hired", "bidder"] as const)
    people.set(name, await signUp({ name }));
  people.set("operator", await signUpOperator());
  for (const how of ["disable", "delete"] as const) {
    const person = await signUp();
    await endAccount(person, how);
    people.set(`${how}d`, person);
  }
  const suspended = await signUp();
  await harness.as(suspended).get("/me").expect(200);
  const suspension = { suspended: true, reason: "spam" };
  await harness
    .as(personOf("operator"))
    .patch(`/profiles/${suspended.uid}/suspension`, suspension)
    .expect(200);
  people.set("suspended", suspended);
  await harness.as(personOf("owner")).get("/me").expect(200);
  const erased = await signUp();
  // The harness's clock is fixed: move it on, so that the account is erased after its session began.
  harness.clock.now = new Date();
  await harness.as(erased).delete("/me").expect(200);
  people.set("erased", erased);
  const other = await signUp();
  people.set("expired", { ...other, token: forgedToken({ ...other, projectId, ageS: 3_700 }) });
  people.set("forged", { ...other, token: forgedToken({ ...other, projectId: "another-project" }) });
}, 60_000);

/** Stores a task of the owner in the state that the endpoint needs, with two bids and one of everything else. */
async function createScene({ state }: ExampleRequest): Promise<Scene> {
  const { bids, questions, reports, operatorQueue, notifications, conversations, messages } =
    harness.database;
  const [owner, hired, bidder] = [personOf("owner"), personOf("hired"), personOf("bidder")];
  const _id = new ObjectId();
  const bidOf = ({ uid, name, email }: Person, more = {}) =>
    aBidDoc({ taskId: _id, bidderId: uid, bidderName: name, bidderEmail: email, ...more });
  const winner = bidOf(hired);
  const delivery = state === "delivered" && { delivery: aDelivery(new Date(0)) };
  const award = state && { state, award: anAwardOf(winner), ...delivery };
  await harness.insertTask({ _id, ownerId: owner.uid, email: owner.email, bidsCount: 2, ...award });
  const other = bidOf(bidder, { state: "shortlisted" });
  const inserts: Promise<unknown>[] = [bids.insertMany([winner, other])];
  const question = aQuestionDoc({ taskId: _id, askerId: bidder.uid });
  inserts.push(questions.insertOne(question));
  const [report, item, notification] = [new ObjectId(), new ObjectId(), new ObjectId()];
  const createdAt = new Date();
  inserts.push(reports.insertOne(aReportDoc({ _id: report, taskId: _id, personId: owner.uid })));
  inserts.push(
    operatorQueue.insertOne({
      _id: item,
      key: `first-task task:${_id}`,
      kind: "first-task",
      taskId: _id,
      personId: owner.uid,
      settled: false,
      createdAt,
    }),
  );
  inserts.push(
    notifications.insertOne({
      _id: notification,
      recipientId: owner.uid,
      kind: "new-bid",
      taskId: _id,
      taskTitle: "A task",
      asClient: true,
      readAt: null,
      createdAt,
    }),
  );
  const conversation = aConversationDoc({
    taskId: _id,
    clientId: owner.uid,
    freelancerId: hired.uid,
    count: 1,
    seen: { client: 1, freelancer: 0 },
    unreadBy: hired.uid,
  });
  inserts.push(conversations.insertOne(conversation));
  inserts.push(
    messages.insertOne({
      _id: new ObjectId(),
      conversationId: conversation._id,
      number: 1,
      by: "client",
      text: "When can you begin?",
      createdAt,
    }),
  );
  await Promise.all(inserts);
  return {
    conversation: conversation._id.toHexString(),
    task: _id.toHexString(),
    bid: other._id.toHexString(),
    question: question._id.toHexString(),
    report: report.toHexString(),
    item: item.toHexString(),
    notification: notification.toHexString(),
  };
}

/** All documents of the scene, and the total numbers of tasks and of operator log entries. */
async function snapshot(scene: Scene): Promise<string> {
  const { tasks, bids, questions, timeline, reports, reviews, notifications } = harness.database;
  const { savedTasks, conversations, messages, operatorQueue, operatorLog } = harness.database;
  const taskId = new ObjectId(scene.task);
  const all = await Promise.all([
    tasks.findOne({ _id: taskId }),
    bids.find({ taskId }).sort({ _id: 1 }).toArray(),
    questions.find({ taskId }).sort({ _id: 1 }).toArray(),
    reports.find({ taskId }).sort({ _id: 1 }).toArray(),
    timeline.find({ taskId }).sort({ _id: 1 }).toArray(),
    operatorQueue.find({ taskId }).sort({ _id: 1 }).toArray(),
    operatorLog.countDocuments(),
    reviews.find({ taskId }).sort({ _id: 1 }).toArray(),
    notifications.find({ taskId }).sort({ _id: 1 }).toArray(),
    savedTasks.find({ taskId }).sort({ _id: 1 }).toArray(),
    conversations.find({ taskId }).toArray(),
    messages.find({ conversationId: new ObjectId(scene.conversation) }).toArray(),
    tasks.countDocuments(),
  ]);
  return JSON.stringify(all);
}

async function send(endpoint: Endpoint, example: ExampleRequest, scene: Scene, person: Person | undefined) {
  const path = endpoint.path
    .replace(":bidId", scene.bid)
    .replace(":questionId", scene.question)
    .replace(/^\/me\/conversations\/:id/, `/me/conversations/${scene.conversation}`)
    .replace(/^\/reports\/:id/, `/reports/${scene.report}`)
    .replace(/^\/operators\/queue\/:id/, `/operators/queue/${scene.item}`)
    .replace(/^\/profiles\/:id/, `/profiles/${personOf("owner").uid}`)
    .replace(":id", scene.task);
  const client = harness.as(person);
  const body = example.body?.(scene);
  if (example.head) return client.head(path);
  if (endpoint.method === "GET") return client.get(path);
  if (endpoint.method === "DELETE") return client.delete(path);
  if (endpoint.method === "PUT") return client.put(path, body);
  if (endpoint.method === "PATCH") return client.patch(path, body);
  return client.post(path, body);
}

describe("permissions", () => {
  describe.each(
    ALL_ENDPOINTS.map((endpoint) => ({ ...endpoint, call: `${endpoint.method} ${endpoint.path}` })),
  )("$call is for: $access", (endpoint) => {
    const example = EXAMPLE_REQUESTS[endpoint.name];
    // Kept until a caller with permission changes it; the test checks that all others change nothing.
    let reusable: Scene | undefined;
    test.each(
      [...VALID_CALLERS, ...INVALID_CALLERS].map((caller) => ({
        caller,
        verdict: expected(endpoint, caller),
      })),
    )("When $caller asks, then $verdict", async ({ caller, verdict }) => {
      // A person who deletes their account could not be used in later tests.
      const isDeletion = endpoint.name === "deleteAccount" && verdict === "may";
      const signUpAnother = caller === "operator" ? signUpOperator : signUp;
      const person = isDeletion && caller !== "erased" ? await signUpAnother() : people.get(caller);
      const scene = reusable ?? (await createScene(example));
      const before = verdict === "may" ? "" : await snapshot(scene);
      const response = await send(endpoint, example, scene, person);
      reusable = verdict === "may" && endpoint.method !== "GET" ? undefined : scene;
      if (verdict === "may") {
        expect(response.status).toBe(example.status ?? endpoint.responses[0]?.status);
        return;
      }
      if (example.head) expect(response.status).toBe(ERRORS[verdict].status);
      else expectProblem(response, ERRORS[verdict].status, verdict);
      expect(await snapshot(scene)).toBe(before);
    });
  });

  const OWN_LIST: Record<string, ErrorCode | undefined> = {
    anonymous: "not-signed-in",
    stranger: "not-your-list",
    operator: "not-your-list",
    owner: undefined,
  };
  test.each(Object.entries(OWN_LIST))(
    "When %s lists the owner's tasks by email, then %s",
    async (caller, code) => {
      const response = await harness
        .as(people.get(caller as Caller))
        .get(`/tasks?email=${encodeURIComponent(personOf("owner").email)}`);
      if (code) expectProblem(response, ERRORS[code].status, code);
      else expect(response.status).toBe(200);
    },
  );

  test.each([...VALID_CALLERS])(
    "When %s reads a hidden task, then only its owner and operators find it",
    async (caller) => {
      const { task } = await createScene({});
      await harness.database.tasks.updateOne({ _id: new ObjectId(task) }, { $set: { hidden: true } });
      const found = await harness.as(people.get(caller)).get(`/tasks/${task}`);
      expect(found.status).toBe(caller === "owner" || caller === "operator" ? 200 : 404);
    },
  );
});

type Layer = {
  slash: boolean;
  route?: { path: string | string[]; methods: Record<string, boolean> };
  handle: { stack?: Layer[] };
};

/** Every route that is registered with Express. */
function routes(stack: readonly Layer[]): string[] {
  return stack.flatMap(({ route, handle, slash }) => {
    if (route) {
      const methods = Object.keys(route.methods).map((method) => method.toUpperCase());
      return [route.path].flat().flatMap((path) => methods.map((method) => `${method} ${path}`));
    }
    if (!handle.stack) return [];
    // Routes of a router that is mounted below a path would appear here without that path.
    if (!slash) throw new Error("mount routers at the root and give their routes whole paths");
    return routes(handle.stack);
  });
}

describe("the table and the routes", () => {
  test("When all registered routes are listed, then they are exactly those of the table", () => {
    const { stack } = harness.app.router as unknown as { stack: Layer[] };
    const found = [...new Set(routes(stack))].sort();
    expect(found).toEqual(ALL_ENDPOINTS.map(({ method, path }) => `${method} ${path}`).sort());
  });

  test("When a route is not in the table, then it is a 404 even for operators, or a 405 if the address has others", async () => {
    const operator = harness.as(personOf("operator"));
    expectProblem(await operator.get("/me/everything"), 404, "route-not-found");
    for (const [method, path, allow] of [
      ["put", "/me", "GET, PATCH, DELETE"],
      ["delete", "/Tasks/", "GET, POST"],
      ["put", "/reports", "POST, GET"],
      ["post", "/tasks/featuretasks", "GET, PUT, DELETE"],
    ] as const) {
      const response = await operator[method](path);
      expectProblem(response, 405, "method-not-allowed");
      expect(response.headers["allow"]).toBe(allow);
    }
  });

  test("When the path has another case or a trailing slash, then the same permissions apply", async () => {
    expectProblem(await harness.as().get("/ME/bids/"), 401, "not-signed-in");
    expectProblem(await harness.as(personOf("stranger")).get("/Reports/"), 403, "not-an-operator");
    await harness.as(personOf("operator")).get("/REPORTS/").expect(200);
  });
});
