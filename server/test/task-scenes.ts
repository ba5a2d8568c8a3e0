import { ObjectId } from "mongodb";
import { beforeEach, expect } from "vitest";
import {
  addDays,
  type BidDraft,
  calendarDate,
  type Milestone,
  type MyBid,
  type NotificationKind,
  type Timeline,
  type Waiting,
} from "../src/contract/index.ts";
import type { BidDoc } from "../src/db/documents/bids.ts";
import type { TaskDoc } from "../src/db/documents/tasks.ts";
import { verifyData } from "../tools/lib/verify-data.ts";
import { bidHelpers } from "./bid-helpers.ts";
import { aBidDoc, anAgreementDoc, anAwardOf, inDays, ownedBy, placedBy } from "./builders.ts";
import { type Harness, usePeople } from "./harness.ts";
import type { Person } from "./people.ts";
import { runJobs } from "./run-jobs.ts";

/** Who hires whom; by default Clara hires Ada, who asks for $450. */
type Hiring = {
  by?: Person;
  to?: Person;
  /** They bid too. */
  others?: readonly Person[];
  draft?: Partial<Pick<TaskDoc, "title" | "description" | "deadline">>;
  offer?: Pick<BidDraft, "amount" | "days" | "message">;
  /** What they have agreed on since, as the freelancer proposed. */
  terms?: { amount: number; due: string; milestones: Milestone[] };
};

/**
 * Tasks at each stage after their award, which is stored directly; later steps go through the API. Each test begins at
 * noon of March 10, 2026.
 */
export function taskScenes(harness: Harness) {
  const [client, ada, ben] = usePeople("Clara Client", "Ada", "Ben");
  const { bid, award, ...bids } = bidHelpers(harness);

  beforeEach(() => {
    harness.clock.now = new Date("2026-03-10T12:00:00Z");
  });

  const deliver = (id: string, by = ada, work: object = { note: "Done.", links: [] }) =>
    harness.ok(by).post(`/tasks/${id}/deliveries`, work);
  const move = (id: string, state: string, by = client, more: object = { reason: "No." }) =>
    harness.ok(by).patch(`/tasks/${id}/state`, { state, ...more });
  const propose = (id: string, terms: object, by = ada) =>
    harness.as(by).put(`/tasks/${id}/agreement/proposal`, terms);
  /** Accepts what the other side proposes for the agreement. */
  const acceptProposal = async (id: string, by = client) => {
    const { proposal } = await harness.read(`/tasks/${id}/agreement`, by);
    const answer = { proposalId: proposal._id, accepted: true };
    return harness.as(by).patch(`/tasks/${id}/agreement/proposal`, answer);
  };
  /** Stores a task with its bids as an award leaves it, but for the notifications. */
  async function awarded(hiring: Hiring = {}): Promise<string> {
    const { by = client, to = ada, others = [], draft = {}, offer = { amount: 450 }, terms } = hiring;
    const { agreements, bids: stored, timeline } = harness.database;
    const { now: at } = harness.clock;
    const taskId = new ObjectId();
    const sides = { taskId, clientId: by.uid, freelancerId: to.uid };
    const all = [to, ...others].map((bidder) =>
      aBidDoc({ taskId, ...placedBy(bidder), createdAt: at, ...(bidder === to && (offer as object)) }),
    );
    const [won] = all as [BidDoc];
    const due = won.days ? addDays(calendarDate(at), won.days) : (draft.deadline ?? inDays(30));
    const first = { amount: won.amount, due, scope: "", at };
    const task = await harness.insertTask({
      ...{ _id: taskId, ...ownedBy(by), ...draft },
      ...{ state: "awarded", award: { ...anAwardOf(won), at, due, ...terms } },
      ...{ bidsCount: all.length, revision: 1, bidsRevision: all.length + 1, createdAt: at, updatedAt: at },
    });
    await Promise.all([
      stored.insertMany(all),
      timeline.insertOne({ _id: new ObjectId(), ...sides, kind: "awarded", by: "client", at }),
      agreements.insertOne(
        anAgreementDoc({
          ...{ ...sides, clientName: by.name, freelancerName: to.name, message: offer.message },
          ...{ title: task.title, description: task.description, createdAt: at },
          versions: terms ? [first, { ...terms, scope: "", by: "freelancer", at }] : [first],
        }),
      ),
    ]);
    return String(taskId);
  }
  const timeline = (id: string, by?: Person): Promise<Timeline> => harness.read(`/tasks/${id}/timeline`, by);
  return {
    ...{ ...bids, client, ada, ben, bid, award, deliver, move, awarded, timeline, propose, acceptProposal },
    /** One side proposes it, and the other accepts. */
    agreeOn: async (id: string, terms: object, by = client, to = ada) => {
      await propose(id, terms, to).expect(200);
      expect((await acceptProposal(id, by)).status).toBe(200);
    },
    completed: async (hiring: Hiring = {}) => {
      const id = await awarded(hiring);
      await move(id, "completed", hiring.by);
      return id;
    },
    /** Cancels an awarded task and makes it take bids again. */
    reopen: async (id: string) => {
      await move(id, "cancelled");
      await move(id, "open", client, { deadline: "2026-05-01" });
    },
    /** Does the directory of people count somebody's completed tasks, and the reviews about them? */
    isCounted: async ({ uid }: Person) => {
      const { peopleWithWrongFigures = [] } = await verifyData(harness.database.db, [
        "peopleWithWrongFigures",
      ]);
      return !peopleWithWrongFigures.includes(uid);
    },
    /** Somebody deletes their account. */
    leave: async (person: Person, query = "") => {
      await harness.ok(person).delete(`/me${query}`);
    },
    /** Their bid on a task, in the list of all of theirs. */
    ownBid: async (id: string, by = ada): Promise<MyBid | undefined> =>
      ((await harness.read("/me/bids", by)) as MyBid[]).find(({ task }) => task._id === id),
    /** The task as somebody sees it. */
    task: (id: string, by = client) => harness.read(`/tasks/${id}`, by),
    /** The steps of its timeline that somebody sees. */
    steps: async (id: string, by?: Person) => (await timeline(id, by)).entries.map(({ kind }) => kind),
    /** What waits for somebody with this task. */
    waiting: async (id: string, by: Person): Promise<Waiting["kind"][]> =>
      ((await harness.read("/me/overview", by)).waiting as Waiting[])
        .filter(({ taskId }) => taskId === id)
        .map(({ kind }) => kind),
    /** What somebody was notified of last about it. */
    lastNotice: async (id: string, by: Person): Promise<NotificationKind | undefined> =>
      (await bids.notificationKinds(by, id)).at(-1),
    passDays: async (days: number) => {
      harness.advance(days * 86_400_000);
      await runJobs(harness);
    },
  };
}
