import type { Filter, ObjectId } from "mongodb";
import type { User } from "../../auth/token-verifier.ts";
import type { TaskFile, Upload } from "../../contract/index.ts";
import { type Database, NEWEST_FIRST } from "../../db/client.ts";
import type { FileDoc } from "../../db/documents/files.ts";
import type { TaskDoc } from "../../db/documents/tasks.ts";
import { LISTED_FILE, presentFile } from "../../domain/files.ts";
import type { Presented } from "../../domain/present.ts";
import { ProblemError } from "../../domain/problem-error.ts";
import { canSee } from "../../domain/task-conditions.ts";
import { ofAward } from "../disputes/rules.ts";
import { isReported } from "../reports/subjects.ts";

/**
 * Those of bids come last, and those of the newest bids first: a task, its disputes and deliveries have few files, but
 * there may be any number of bids.
 */
const IN_ORDER = { "place.kind": -1, "place.on": -1, order: 1, _id: 1 } as const;
const MAX_LISTED = 500;

/** Who may read which files: whoever may read what they hang on. */
export function fileReader(database: Database) {
  const { files, tasks, disputes, suspensions } = database;

  /**
   * The files on a task that somebody may read, by their places. Operators read those of the two sides while they decide
   * between them, not those of somebody hired before; and those of messages that a side has submitted.
   */
  async function readable(task: TaskDoc, user: User): Promise<Filter<FileDoc>[]> {
    const own = [{ uid: user.uid }, { "place.readers": user.uid }];
    const forAll = canSee(task, user) ? [{ "place.kind": "task" as const }] : [];
    const { award } = task;
    if (!user.isOperator || !award) return [...own, ...forAll];
    const ofSides = { "place.kind": { $in: ["delivery", "dispute"] }, "place.readers": award.freelancerId };
    const dispute = await disputes.findOne(ofAward(task), {
      ...{ sort: NEWEST_FIRST, projection: { messages: 1 } },
    });
    const submitted = dispute?.messages?.map(({ _id }) => _id) ?? [];
    return [
      ...own,
      ...forAll,
      ...(award.ending === "operator" ? [ofSides as Filter<FileDoc>] : []),
      { "place.on": { $in: submitted } },
    ];
  }

  return {
    /** What became of a person's own upload. @throws {ProblemError} `file-not-found`. */
    async readUpload(_id: ObjectId, { uid }: User): Promise<Upload> {
      const file = await files.findOne({ _id, uid }, { projection: LISTED_FILE });
      if (!file || file.state === "unused") throw new ProblemError("file-not-found");
      const { state, name, reason } = file;
      return { state, name, reason, ...(state === "ready" && { file: presentFile(file) }) };
    },

    /** A file that this visitor may read. @throws {ProblemError} `file-not-found`, whether it exists or not. */
    async find(_id: ObjectId, user: User | undefined): Promise<FileDoc> {
      const file = await files.findOne({ _id, state: "ready" });
      if (file && (await mayRead(file, user))) return file;
      throw new ProblemError("file-not-found");
    },

    /** The files on a task that the caller may read. @throws {ProblemError} `task-not-found`. */
    async listOnTask(taskId: ObjectId, user: User): Promise<Presented<TaskFile>[]> {
      const task = await tasks.findOne({ _id: taskId });
      if (!task || !canSee(task, user)) throw new ProblemError("task-not-found");
      const onTask = { "place.taskId": taskId, "place.kind": { $ne: "message" } } as const;
      const filter = { ...onTask, state: "ready", $or: await readable(task, user) } as const;
      const found = await files
        .find(filter, { projection: LISTED_FILE, sort: IN_ORDER, limit: MAX_LISTED })
        .toArray();
      return found.flatMap(({ place, ...file }) =>
        place?.on
          ? [{ ...presentFile(file), place: place.kind, on: place.on, by: place.by ?? "client" }]
          : [],
      );
    },
  };

  async function mayRead({ _id, uid, place }: FileDoc, user: User | undefined): Promise<boolean> {
    if (place?.kind === "photo" || place?.kind === "portfolio") {
      const suspended = await suspensions.findOne({ _id: uid, liftedAt: null });
      return !suspended || user?.isOperator === true;
    }
    if (!user) return false;
    if (uid === user.uid || place?.readers?.includes(user.uid)) return true;
    if (!place?.taskId) return false;
    if (user.isOperator && place.kind === "message" && place.on)
      if (await isReported(database, place.on, place.taskId)) return true;
    const task = await tasks.findOne({ _id: place.taskId });
    if (!task) return false;
    const found = await files.findOne({ _id, $or: await readable(task, user) }, { projection: { _id: 1 } });
    return found !== null;
  }
}
