import { ObjectId } from "mongodb";
import type { Logger } from "pino";
import { JOB_KINDS, type JobKind, type JobSummary } from "../contract/index.ts";
import type { Collections } from "./collections.ts";
import { type AnnouncementContent, type EventKind, type JobDoc, REPEATED_KINDS } from "./documents/jobs.ts";
import { currentRequest, currentSession, runDetached } from "./transaction.ts";

/*
 * The outbox: everything that is done later. An event stores its jobs in its own transaction, so that neither exists
 * without the other. Each instance claims jobs that are due, one of a kind at a time, and renews its claim while it works; what
 * a crashed instance left becomes due again. A job that fails is retried with growing pauses, and kept for operators
 * after the last one.
 */

type NewJob = {
  kind: EventKind;
  /** What it is about: the ids of the documents. */
  subject: readonly ObjectId[];
  /** At once by default. */
  dueAt?: Date;
  /** True if a job that already waits stays due at its own time. */
  keepsDueAt?: boolean;
  announcement?: AnnouncementContent;
};

type Subject = Pick<NewJob, "kind" | "subject">;
const subjectOf = ({ subject }: Subject) => subject.join(" ");
const idsIn = (subject: string) =>
  subject.split(" ").flatMap((id) => (id ? new ObjectId(id) : [])) as JobRun["subject"];
const idOf = (job: Subject) => `${job.kind} ${subjectOf(job)}`;
// Independent of the instances' clocks.
const AT_ONCE = new Date(0);

/**
 * Stores a job in the transaction of its event. If the same one waits already, it stays one. What a request stores to be
 * done at once begins when the request has been handled; the rest is found when it is due.
 */
export async function enqueue({ jobs }: Pick<Collections, "jobs">, job: NewJob): Promise<void> {
  const { kind, dueAt = AT_ONCE, keepsDueAt = false, announcement } = job;
  const due = { dueAt };
  if (dueAt === AT_ONCE) currentRequest()?.jobs.add(kind);
  await jobs.updateOne(
    { _id: idOf(job) },
    {
      $set: { attempts: 0, ...(!keepsDueAt && due) },
      $setOnInsert: { kind, subject: subjectOf(job), announcement, ...(keepsDueAt && due) },
      $inc: { stored: 1 },
      // Whoever is working on it has not seen this event.
      $unset: { holder: true, ...(!keepsDueAt && { error: true, failedAt: true }) },
    },
    { upsert: true },
  );
}

/** Deletes a job that is no longer needed, in the transaction that makes it so. */
export async function dequeue({ jobs }: Pick<Collections, "jobs">, job: Subject): Promise<void> {
  await jobs.deleteOne({ _id: idOf(job) });
}

/** When and from where a job goes on. */
export type Next = { dueAt: Date; cursor?: string | undefined };

/** One claim of a job. */
type JobRun = {
  job: JobDoc;
  /** The ids given to {@link enqueue}, one or two; none for repeated work. */
  subject: [ObjectId, ObjectId];
  now: Date;
  /** Aborted when the instance stops. */
  signal: AbortSignal;
  /**
   * Completes the job, or a part of it, in the transaction of its effects: so they happen once.
   * @throws {JobTaken} if it belongs to another instance now.
   */
  complete(next?: Next): Promise<void>;
};

/** What a kind of job does. @returns undefined if it is done, or when to go on. */
export type Work = (run: JobRun) => Promise<Next | undefined> | Promise<void>;

/** What a kind does; `everyMs` is the pause between the end of one run and the start of the next, for repeated kinds. */
export type JobKinds = { [kind in JobKind]?: { work: Work; everyMs?: number } };

/** The job was claimed by another instance, or stored again. */
class JobTaken extends Error {
  override name = "JobTaken";
}

type Options = {
  log: Pick<Logger, "warn">;
  now?: (() => Date) | undefined;
  /** After this time without renewal, another instance may claim a job. */
  leaseMs?: number;
};

export type Jobs = ReturnType<typeof createJobs>;

const LEASE_MS = 15_000;
const POLL_MS = 5_000;
const NOTED_MS = 10_000;
const STOP_MS = 3_000;
/** What operators need not read in an error: values that the database quotes, email addresses and uids. */
const PERSONAL = /"[^"]*"?|[^\s"@]+@\S+|\b[A-Za-z0-9]{28}\b/g;
/** With the pauses between them, about a quarter of an hour. */
const MAX_ATTEMPTS = 10;
const MAX_PAUSE_MS = 5 * 60_000;
/** Repeated work that says itself when to go on does so at the next midnight. */
const DAY_MS = 86_400_000;

/** Works on jobs of these kinds. */
export function createJobs(
  { jobs }: Pick<Collections, "jobs">,
  kinds: JobKinds,
  { log, now = () => new Date(), leaseMs = LEASE_MS }: Options,
) {
  const names = Object.keys(kinds) as JobKind[];
  const stopping = new AbortController();
  const { signal } = stopping;
  const requested = new Set<JobKind>();
  const draining = new Map<JobKind, Promise<void>>();
  const noted = new Map<JobKind, number>();
  let timer: NodeJS.Timeout | undefined;
  const inMs = (ms: number) => new Date(now().getTime() + ms);

  function claim(kind: JobKind): Promise<JobDoc | null> {
    return jobs.findOneAndUpdate(
      { kind, dueAt: { $lte: now() } },
      { $set: { dueAt: inMs(leaseMs), holder: new ObjectId() }, $inc: { attempts: 1 } },
      { sort: { dueAt: 1, _id: 1 }, returnDocument: "after" },
    );
  }

  /** Releases a claim. @throws {JobTaken} */
  async function release({ _id, holder }: JobDoc, next: Next | undefined) {
    const own = { _id, holder };
    const released = next
      ? await jobs
          .updateOne(own, {
            $set: { attempts: 0, ...next, ...(!currentSession() && { lastRunAt: now() }) },
            $unset: { holder: true, error: true, failedAt: true, ...(!next.cursor && { cursor: true }) },
          })
          .then(({ matchedCount }) => matchedCount)
      : (await jobs.deleteOne(own)).deletedCount;
    if (released === 0) throw new JobTaken();
  }

  async function fail({ _id, holder, kind, subject, attempts }: JobDoc, error: unknown): Promise<void> {
    log.warn({ err: error, job: _id, attempts }, "a job failed");
    const { everyMs } = kinds[kind] ?? {};
    // Repeated work has no subject.
    const isLast = attempts >= MAX_ATTEMPTS && subject !== "";
    const failure = { error: String(error).slice(0, 1_000).replace(PERSONAL, "…"), failedAt: now() };
    const dueAt = inMs(Math.min(1_000 * 2 ** attempts, everyMs ?? MAX_PAUSE_MS));
    await jobs.updateOne(
      { _id, holder },
      isLast
        ? { $set: failure, $unset: { holder: true, dueAt: true } }
        : { $set: { ...failure, dueAt }, $unset: { holder: true } },
    );
  }

  async function runJob(job: JobDoc): Promise<void> {
    const { _id, holder, kind, subject } = job;
    const { work, everyMs } = kinds[kind] ?? {};
    if (!work) return;
    // Whoever claimed it last did not live to see it fail.
    if (job.attempts > MAX_ATTEMPTS && subject !== "")
      return fail(job, new Error("each instance that did it has ended"));
    let isCompleted = false;
    const renewing = setInterval(() => {
      jobs.updateOne({ _id, holder }, { $set: { dueAt: inMs(leaseMs) } }).catch(() => undefined);
    }, leaseMs / 3);
    try {
      const run: JobRun = {
        ...{ job, subject: idsIn(subject), now: now(), signal },
        async complete(next) {
          await release(job, next);
          isCompleted = true;
        },
      };
      const next = (await work(run)) ?? (everyMs === undefined ? undefined : { dueAt: inMs(everyMs) });
      if (!isCompleted) await release(job, next);
    } catch (error) {
      // What a stop interrupts is done by another instance, or after the next start.
      if (!(error instanceof JobTaken) && !signal.aborted) await fail(job, error);
    } finally {
      clearInterval(renewing);
    }
  }

  /** Stores when an event's kind last ran, at most every ten seconds; repeated kinds do so anyway. */
  async function noteRun(kind: JobKind): Promise<void> {
    const at = now();
    if (kinds[kind]?.everyMs !== undefined || at.getTime() < (noted.get(kind) ?? 0) + NOTED_MS) return;
    noted.set(kind, at.getTime());
    const row = { kind, subject: "", attempts: 0, stored: 0 };
    await jobs.updateOne({ _id: kind }, { $set: { lastRunAt: at }, $setOnInsert: row }, { upsert: true });
  }

  async function run(kind: JobKind): Promise<void> {
    while (requested.delete(kind) && !signal.aborted)
      try {
        for (let job = await claim(kind); job; job = signal.aborted ? null : await claim(kind)) {
          await runJob(job);
          await noteRun(kind);
        }
      } catch (error) {
        if (!signal.aborted) log.warn({ err: error, kind }, "jobs could not be read, to be retried");
      }
    // Without an await after the loop: a request in between would be lost.
    draining.delete(kind);
  }

  /** Works on what is due of this kind. Resolves when nothing is left for this instance, or the database failed. */
  function drain(kind: JobKind): Promise<void> {
    if (!kinds[kind]) return Promise.resolve();
    requested.add(kind);
    let running = draining.get(kind);
    if (!running) {
      running = run(kind);
      draining.set(kind, running);
    }
    return running;
  }

  const drainAll = async () => void (await Promise.all(names.map(drain)));

  return {
    drain,
    drainAll,
    /** Starts working on what was just stored, without waiting for it and unaffected by the request's deadline. */
    nudge: (kind: EventKind): void => void runDetached(() => drain(kind)),
    /** Works from now on. */
    async start(): Promise<void> {
      const repeated = REPEATED_KINDS.filter((kind) => kinds[kind]);
      const doc = { subject: "", dueAt: AT_ONCE, attempts: 0, stored: 1 };
      for (const kind of repeated)
        await jobs.updateOne({ _id: kind }, { $setOnInsert: { kind, ...doc } }, { upsert: true });
      // What an instance dated whose clock was ahead would wait for that time.
      const ahead = (pauseMs: number) => ({ dueAt: { $gt: inMs(pauseMs + leaseMs) } });
      const isAhead = [
        ...repeated.map((kind) => ({ kind, ...ahead(kinds[kind]?.everyMs ?? DAY_MS) })),
        { attempts: { $gt: 0 }, kind: { $nin: [...repeated] }, ...ahead(MAX_PAUSE_MS) },
      ];
      await jobs.updateMany({ $or: isAhead }, { $set: { dueAt: AT_ONCE } });
      timer = setInterval(drainAll, POLL_MS);
      timer.unref();
      void drainAll();
    },
    /** Stops after the jobs in progress, or three seconds. */
    async stop(): Promise<void> {
      stopping.abort();
      clearInterval(timer);
      const stopped = new Promise((resolve) => setTimeout(resolve, STOP_MS).unref());
      await Promise.race([Promise.all(draining.values()), stopped]);
    },
  };
}

/** What waits, runs late or failed, by kind. */
export async function summarizeJobs({ jobs }: Pick<Collections, "jobs">, now: Date) {
  type Group = Omit<JobSummary, "kind" | "lastRunAt" | "failedAt"> & {
    _id: JobKind;
    lastRunAt: Date | null;
    failedAt: Date | null;
  };
  const countIf = (condition: object) => ({ $sum: { $cond: [condition, 1, 0] } });
  const hasFailed = { $gt: ["$failedAt", null] };
  const groups = await jobs
    .aggregate<Group>([
      { $sort: { failedAt: 1 } },
      {
        $group: {
          _id: "$kind",
          lastRunAt: { $max: "$lastRunAt" },
          waiting: countIf({ $gt: ["$dueAt", null] }),
          due: countIf({ $and: [{ $gt: ["$dueAt", null] }, { $lte: ["$dueAt", now] }] }),
          failed: countIf(hasFailed),
          error: { $last: "$error" },
          failedAt: { $max: "$failedAt" },
        },
      },
    ])
    .toArray();
  return JOB_KINDS.map((kind) => {
    const { _id, error, lastRunAt, failedAt, ...counts } = groups.find((group) => group._id === kind) ?? {
      ...{ _id: kind, lastRunAt: null, failedAt: null, waiting: 0, due: 0, failed: 0 },
    };
    return { kind, ...counts, lastRunAt: lastRunAt ?? undefined, ...(failedAt && { error, failedAt }) };
  });
}

/** Makes all failed jobs of a kind due. @returns how many. */
export async function retryJobs({ jobs }: Pick<Collections, "jobs">, kind: JobKind): Promise<number> {
  const failed = { kind, failedAt: { $exists: true }, holder: { $exists: false } };
  const { modifiedCount } = await jobs.updateMany(failed, {
    $set: { attempts: 0, dueAt: AT_ONCE },
    $unset: { failedAt: true, error: true },
  });
  return modifiedCount;
}
