import { beforeEach, expect } from "vitest";
import type { BidDraft, NotificationKind, TaskDraft, Timeline, Waiting } from "../src/contract/index.ts";
import { bidHelpers } from "./bid-helpers.ts";
import { type Harness, usePeople } from "./harness.ts";
import type { Person } from "./people.ts";
import { runJobs } from "./run-jobs.ts";

/** Who hires whom; by default Clara hires Ada, who asks for $450. */
type Hiring = {
  by?: Person;
  to?: Person;
  /** They bid too. */
  others?: readonly Person[];
  draft?: Partial<TaskDraft>;
  offer?: BidDraft;
};

/** Tasks at each stage after their award, moved and read through the API. Each test begins at noon of March 10, 2026. */
export function taskScenes(harness: Harness) {
  const [client, ada, ben] = usePeople("Clara Client", "Ada", "Ben");
  const { bid, award, ...bids } = bidHelpers(harness);

  beforeEach(() => {
    harness.clock.now = new Date("2026-03-10T12:00:00Z");
  });

  const deliver = (id: string, by = ada, work: object = { note: "Done.", links: [] }) =>
    harness.as(by).post(`/tasks/${id}/deliveries`, work);
  const move = (id: string, state: string, by = client, more: object = { reason: "No." }) =>
    harness.as(by).patch(`/tasks/${id}/state`, { state, ...more });
  const propose = (id: string, terms: object, by = ada) =>
    harness.as(by).put(`/tasks/${id}/agreement/proposal`, terms);
  /** Accepts what the other side proposes for the agreement. */
  const acceptProposal = async (id: string, by = client) => {
    const { proposal } = await harness.read(`/tasks/${id}/agreement`, by);
    const answer = { proposalId: proposal._id, accepted: true };
    return harness.as(by).patch(`/tasks/${id}/agreement/proposal`, answer);
  };
  async function awarded(hiring: Hiring = {}): Promise<string> {
    const { by = client, to = ada, others = [], draft, offer = { amount: 450 } } = hiring;
    const id = await harness.postTask(by, draft);
    await bid(id, to, offer);
    for (const other of others) await bid(id, other);
    await award(id, by, to);
    return id;
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
      await move(id, "completed", hiring.by).expect(200);
      return id;
    },
    /** Cancels an awarded task and makes it take bids again. */
    reopen: async (id: string) => {
      await move(id, "cancelled").expect(200);
      await move(id, "open", client, { deadline: "2026-05-01" }).expect(200);
    },
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
      await runJobs(harness, harness.clock.now);
    },
  };
}
