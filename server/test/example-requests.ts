import { ObjectId } from "mongodb";
import type { Test } from "supertest";
import type { Access, Endpoint } from "../src/contract/endpoint.ts";
import type { EndpointName } from "../src/contract/endpoints.ts";
import type { Dispute } from "../src/contract/index.ts";
import { countJob, storeRating } from "../src/domain/people.ts";
import { openStorage } from "../src/features/files/storage.ts";
import {
  aBidDoc,
  aConversationDoc,
  aDelivery,
  aDisputeDoc,
  aFileDoc,
  anAgreementDoc,
  anAwardOf,
  anInvoiceDoc,
  aPersonDoc,
  aProfileDraft,
  aProposal,
  aQuestionDoc,
  aReportDoc,
  aReviewDoc,
  aSavedSearchDoc,
  aTaskDraft,
  placedBy,
} from "./builders.ts";
import { type Harness, useOperator, usePeople } from "./harness.ts";
import type { Person } from "./people.ts";

/** What a request's path and body may name. */
type Scene = Record<
  | "task"
  | "bid"
  | "question"
  | "report"
  | "item"
  | "conversation"
  | "search"
  | "review"
  | "person"
  | "invitee"
  | "proposal"
  | "dispute"
  | "invoice"
  | "file",
  string
>;
export type Caller = "stranger" | "owner" | "hired" | "bidder" | "operator";
type ExampleRequest = {
  /** The state of its task, open by default. */
  state?: "awarded" | "delivered" | "completed";
  body?: (scene: Scene) => object;
  method?: "HEAD";
  /** The status of its usual response, if not the first of the endpoint's. */
  status?: number;
  /** The only one who finds what it is about; others with permission get a 404. */
  foundBy?: Caller;
  /** Who sends it if one caller is enough, by default the one for its access. */
  by?: Caller;
};

/** What a request needs beside its path to be valid, provided that the caller may send it. */
const EXAMPLES: { [name in EndpointName]?: ExampleRequest } = {
  postTask: { body: () => aTaskDraft() },
  updateTask: { body: () => aTaskDraft({ title: "Another title" }) },
  changeTaskState: { body: () => ({ state: "cancelled" }) },
  setTaskVisibility: { body: () => ({ hidden: true, reason: "spam" }) },
  placeBid: { body: () => ({ amount: 12 }) },
  triageBid: { body: () => ({ state: "declined" }) },
  editReview: { body: () => ({ stars: 4, text: "Better." }), foundBy: "owner", by: "owner" },
  replyToReview: { body: () => ({ text: "Thank you." }), foundBy: "hired", by: "hired" },
  noteBid: { body: () => ({ note: "Ask about the deadline." }) },
  invite: {
    body: ({ invitee }) => ({ personId: invitee }),
  },
  awardTask: { body: ({ bid }) => ({ bidId: bid }) },
  askQuestion: { body: () => ({ text: "Who hosts it?" }) },
  changeQuestions: { body: () => ({ closed: true }) },
  answerQuestion: { body: () => ({ text: "We do." }) },
  setQuestionVisibility: { body: () => ({ hidden: true, reason: "spam" }) },
  saveTask: { by: "stranger" },
  sendMessage: { body: () => ({ text: "Hello." }) },
  seeMessages: { body: () => ({ number: 1 }) },
  blockPerson: { body: () => ({ blocked: true }) },
  deliverWork: { state: "awarded", body: () => ({ note: "All done.", links: ["https://work.example/a"] }) },
  requestChanges: { state: "delivered", body: () => ({ reason: "The logo is missing." }) },
  completeUnanswered: { state: "delivered" },
  readDispute: { state: "awarded" },
  proposeEnding: { state: "awarded", body: () => ({ share: 100, reason: "It takes too long." }) },
  answerEnding: { state: "awarded", body: ({ dispute }) => ({ disputeId: dispute, accepted: false }) },
  stateCase: { state: "awarded", body: () => ({ text: "I delivered half of it." }) },
  decideDispute: { state: "awarded", body: () => ({ share: 200, reason: "Half of it is there." }) },
  appeal: { state: "awarded", body: () => ({ reason: "None of it is." }) },
  listInvoices: { state: "completed" },
  writeInvoice: {
    state: "completed",
    body: () => ({ from: "Hal", to: "Olga", taxRate: 19, due: "2099-01-31" }),
  },
  creditInvoice: { state: "completed" },
  invoiceAsPdf: { state: "completed" },
  readAgreement: { state: "awarded" },
  agreementAsPdf: { state: "awarded" },
  proposeChange: { state: "awarded", body: () => ({ amount: 450, due: "2099-01-31" }) },
  answerProposal: {
    state: "awarded",
    body: ({ proposal }) => ({ proposalId: proposal, accepted: false }),
  },
  readUpload: { foundBy: "owner", by: "owner" },
  saveProfileFiles: { body: () => ({ portfolio: [] }) },
  savePaymentDetails: { body: () => ({ way: "paypal", value: "hal@pay.example" }) },
  markPaid: { state: "completed", body: () => ({ reference: "Transfer 27" }) },
  confirmPayment: { state: "completed", body: () => ({ received: true }) },
  changeSettings: { body: () => ({ emailNotices: true }) },
  saveProfile: { body: () => aProfileDraft() },
  readNotifications: { body: () => ({}) },
  // There is no change feed here, so callers with permission get a 503.
  followEvents: { method: "HEAD", status: 503 },
  // The key does not exist.
  unsubscribe: { status: 404 },
  saveSearch: { body: () => ({ name: "Logos", search: "logo", mail: "never" }), by: "stranger" },
  changeSavedSearch: { body: () => ({ paused: true }), foundBy: "bidder" },
  deleteSavedSearch: { foundBy: "bidder" },
  // The key does not exist.
  unsubscribeSearch: { status: 404 },
  writeReview: { state: "completed", body: () => ({ stars: 4, text: "As agreed." }) },
  report: { body: ({ task }) => ({ taskId: task, reason: "spam" }) },
  settleReport: { body: () => ({ settled: true }) },
  settleQueueItem: { body: () => ({ settled: true }) },
  retryJobs: { body: () => ({ kind: "emails" }) },
  // Lifts a suspension that does not exist: a caller who is really suspended could not be used in later tests.
  setSuspension: { body: () => ({ suspended: false, text: "Not them." }) },
};

/** For each endpoint a valid request. */
export const exampleOf = (name: EndpointName): ExampleRequest => EXAMPLES[name] ?? {};

/** The state of the dispute that these endpoints need. */
const DISPUTES: { [Name in EndpointName]?: Dispute["state"] } = {
  readDispute: "disputed",
  answerEnding: "proposed",
  stateCase: "refused",
  decideDispute: "disputed",
  appeal: "decided",
};

const BY: Record<Access, Caller> = {
  anyone: "bidder",
  "signed-in": "bidder",
  owner: "owner",
  "not-owner": "bidder",
  sides: "hired",
  "sides-or-operator": "hired",
  member: "hired",
  hired: "hired",
  operator: "operator",
};

/** Somebody who may send this endpoint's example request. */
export function callerOf({ name, access }: { name: EndpointName; access: Access }): Caller {
  return exampleOf(name).by ?? BY[access];
}

/** Sends the example requests of {@link exampleOf}. To be called before the tests. */
export function exampleRequests(harness: Harness) {
  const [stranger, owner, hired, bidder] = usePeople("Sam Stranger", "Olga Owner", "Hal Hired", "Bo Bidder");
  const people: Record<Caller, Person> = { stranger, owner, hired, bidder, operator: useOperator(harness) };

  /** Stores a task of the owner in the state that the endpoint needs, with two bids and one of everything else. */
  async function createScene(name: EndpointName): Promise<Scene> {
    const { state, foundBy } = exampleOf(name);
    const { bids, questions, reports, operatorQueue, notifications, conversations, messages } =
      harness.database;
    const taskId = new ObjectId();
    const createdAt = new Date();
    const winner = aBidDoc({ taskId, ...placedBy(hired) });
    const other = aBidDoc({ taskId, ...placedBy(bidder), state: "shortlisted" });
    const award = state && { state, award: anAwardOf(winner) };
    const delivery = state === "delivered" && { delivery: aDelivery(new Date(0)) };
    const task = await harness.insertTask({
      ...{ _id: taskId, ownerId: owner.uid, email: owner.email, bidsCount: 2 },
      ...award,
      ...delivery,
    });
    const question = aQuestionDoc({ taskId, askerId: bidder.uid });
    const report = aReportDoc({ taskId, personId: owner.uid });
    const item = new ObjectId();
    const search = aSavedSearchDoc({ ownerId: bidder.uid });
    const conversation = aConversationDoc({
      ...{ taskId, clientId: owner.uid, freelancerId: hired.uid },
      ...{ count: 1, seen: { client: 1, freelancer: 0 }, unreadBy: hired.uid },
    });
    const agreement = anAgreementDoc({
      ...{ taskId, clientId: owner.uid, freelancerId: hired.uid },
      ...(name === "answerProposal" && { proposal: aProposal() }),
    });
    const sides = { clientId: owner.uid, freelancerId: hired.uid };
    const disputed = DISPUTES[name];
    const dispute = aDisputeDoc({ taskId, ...sides, ...(disputed && { state: disputed }) });
    const invoice = anInvoiceDoc({ taskId, clientId: owner.uid, freelancerId: hired.uid });
    const file = aFileDoc({
      uid: owner.uid,
      ...(name === "readFile" && { place: { kind: "portfolio" } }),
    });
    const review = aReviewDoc({ taskId, authorId: owner.uid, subjectId: hired.uid });
    // One at a time, because they are numbered.
    if (name === "creditInvoice" || name === "invoiceAsPdf") {
      await harness.clear("invoices");
      await harness.database.invoices.insertOne(invoice);
      await harness.database.people.updateOne({ _id: hired.uid }, { $set: { invoices: 1 } });
    }
    if (name === "writeInvoice") {
      await harness.clear("invoices");
      await harness.database.people.updateOne({ _id: hired.uid }, { $unset: { invoices: true } });
    }
    // Those of earlier scenes have no content.
    if (name === "downloadFiles") await harness.clear("files");
    // One at a time, because their number is limited.
    if (foundBy) await harness.clear("savedSearches");
    const { _id: invitee, ...member } = aPersonDoc({ _id: "invitee" });
    await Promise.all([
      harness.database.people.updateOne({ _id: invitee }, { $setOnInsert: member }, { upsert: true }),
      foundBy && harness.database.savedSearches.insertOne(search),
      foundBy && harness.database.reviews.insertOne(review),
      bids.insertMany([winner, other]),
      harness.database.files.insertOne(file),
      ["readFile", "downloadFiles"].includes(name) &&
        openStorage(harness.database, {}).put(file._id, Buffer.alloc(file.size)),
      harness.database.agreements.insertOne(agreement),
      disputed && harness.database.disputes.insertOne(dispute),
      questions.insertOne(question),
      reports.insertOne(report),
      harness.database.savedTasks.insertOne({ _id: new ObjectId(), personId: bidder.uid, taskId, createdAt }),
      operatorQueue.insertOne({
        ...{ _id: item, key: `first-task task:${taskId}`, kind: "first-task", taskId },
        ...{ personId: owner.uid, settled: false, createdAt },
      }),
      notifications.insertOne({
        ...{ _id: new ObjectId(), recipientId: bidder.uid, kind: "new-bid", taskId, taskTitle: "A task" },
        ...{ asClient: true, readAt: null, createdAt },
      }),
      conversations.insertOne(conversation),
      messages.insertOne({
        ...{ _id: new ObjectId(), conversationId: conversation._id, number: 1, by: "client" },
        ...{ text: "When can you begin?", createdAt },
      }),
    ]);
    // Both were stored directly.
    await harness.database.transaction(async () => {
      if (foundBy) await storeRating(harness.database, hired.uid);
      if (state === "completed") await countJob(harness.database, { ...task, award: anAwardOf(winner) });
    });
    return {
      task: String(taskId),
      bid: String(other._id),
      question: String(question._id),
      report: String(report._id),
      item: String(item),
      conversation: String(conversation._id),
      search: String(search._id),
      review: String(review._id),
      invoice: String(invoice._id),
      file: String(file._id),
      proposal: String(agreement.proposal?._id),
      dispute: String(dispute._id),
      person: owner.uid,
      invitee,
    };
  }

  return {
    people,
    createScene,
    /** Sends the endpoint's example request. */
    send(endpoint: Endpoint & { name: EndpointName }, scene: Scene, person: Person | undefined): Test {
      const { body, method = endpoint.method } = exampleOf(endpoint.name);
      const [, call] = Object.entries(OWNS_ID).find(([path]) => endpoint.path.startsWith(path)) ?? [
        "",
        "task",
      ];
      const path = endpoint.path
        .replace(":bidId", scene.bid)
        .replace(":questionId", scene.question)
        .replace(":invoiceId", scene.invoice)
        .replace(":id", scene[call as keyof Scene]);
      const verb = method.toLowerCase() as "get" | "head" | "post" | "put" | "patch" | "delete";
      return harness.as(person)[verb](path, body?.(scene));
    },
  };
}

/** What `:id` is below these paths; elsewhere it is a task. */
const OWNS_ID: Record<string, keyof Scene> = {
  "/me/conversations": "conversation",
  "/me/searches": "search",
  "/me/reviews": "review",
  "/reports": "report",
  "/operators/queue": "item",
  "/profiles": "person",
  "/files": "file",
};
