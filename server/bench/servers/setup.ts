import type { Place } from "../../src/features/tasks/task-query.ts";

/** What a server of the benchmark is told at its start, in the environment variable {@link SETUP}. */
export type Setup = {
  uri: string;
  dbName: string;
  publicKey: string;
  /** Ours only: false renders every answer anew. */
  keepAnswers: boolean;
  /** Ours only: the built client. */
  webRoot?: string | undefined;
  /** The place before the deep page. */
  deepPlace: Place;
};

export const SETUP = "TASKLANE_BENCH_SETUP";
export const PAGE = 24;

/** What a server tells the benchmark. */
export type Report = { port: number } | { idleBytes: number; peakBytes: number };
