import type { Readable } from "node:stream";
import { DataStore, Server, ERRORS as TUS_ERRORS, Upload } from "@tus/server";
import { Binary, ObjectId } from "mongodb";
import type { User } from "../../auth/token-verifier.ts";
import type { Context } from "../../context.ts";
import {
  addDays,
  calendarDate,
  ERRORS,
  FILE_LIMITS,
  formatDate,
  UPLOADS_PATH,
} from "../../contract/index.ts";
import type { Database } from "../../db/client.ts";
import { enqueue, type Jobs } from "../../db/jobs.ts";
import { tryCountBytes } from "../../domain/daily-limit.ts";
import { ProblemError } from "../../domain/problem-error.ts";

const MB = 1_000_000;
const HOUR_MS = 3_600_000;
// The offset in the filter of each write lets one win, on all instances. The library's own lock keeps a processor busy while
// it waits, and can be taken by somebody who does not own the file.
const locker = { newLock: () => ({ lock: async () => undefined, unlock: async () => undefined }) };

/** Receives one person's uploads with the tus protocol. */
export function uploadServer(
  { database, jobs, logger: log }: Pick<Context, "database" | "jobs" | "logger">,
  { uid }: User,
  now: Date,
): Server {
  return new Server({
    path: UPLOADS_PATH,
    relativeLocation: true,
    locker,
    // The application's own headers say who may call it.
    allowedOrigins: () => false,
    namingFunction: () => new ObjectId().toHexString(),
    datastore: new PersonUploads(database, jobs, uid, now),
    onResponseError: (_, error) => {
      // One of the protocol's own.
      if ("status_code" in error) return undefined;
      if (!(error instanceof ProblemError)) log.warn({ err: error }, "an upload failed");
      const { code, message: detail } =
        error instanceof ProblemError ? error : new ProblemError("unavailable");
      return { status_code: ERRORS[code].status, body: JSON.stringify({ code, ...ERRORS[code], detail }) };
    },
  });
}

/** Keeps what arrives in the database, in parts of {@link FILE_LIMITS.part} bytes, until the file is complete. */
class PersonUploads extends DataStore {
  readonly #database: Database;
  readonly #jobs: Pick<Jobs, "nudge">;
  readonly #uid: string;
  readonly #now: Date;

  constructor(database: Database, jobs: Pick<Jobs, "nudge">, uid: string, now: Date) {
    super();
    this.#database = database;
    this.#jobs = jobs;
    this.#uid = uid;
    this.#now = now;
    this.extensions = ["creation", "termination"];
  }

  override async create(upload: Upload): Promise<Upload> {
    const { size, metadata } = upload;
    if (!size) throw refusal("The file is empty.");
    if (size > FILE_LIMITS.bytes)
      throw new ProblemError("too-large", {
        detail: `A file can have at most ${FILE_LIMITS.bytes / MB} MB.`,
      });
    const name = cleanName(metadata?.["filename"] ?? "");
    const file = {
      ...{
        _id: new ObjectId(upload.id),
        uid: this.#uid,
        name,
        size,
        received: 0,
        state: "uploading" as const,
      },
      expireAt: new Date(this.#now.getTime() + FILE_LIMITS.hours * HOUR_MS),
      createdAt: this.#now,
    };
    const today = calendarDate(this.#now);
    // A small file can take as long to check as a large one, and others wait for it.
    const count = { bytes: Math.max(size, MB), perDay: FILE_LIMITS.bytesPerDay };
    if (!(await tryCountBytes(this.#database, this.#uid, today, count))) {
      const detail = `You can upload ${FILE_LIMITS.bytesPerDay / MB} MB a day, and a file counts as at least 1 MB. You can upload more from ${formatDate(addDays(today, 1))}, 00:00 UTC.`;
      throw new ProblemError("upload-limit-reached", { detail });
    }
    await this.#database.files.insertOne(file);
    return upload;
  }

  override async getUpload(id: string): Promise<Upload> {
    const { _id } = this.#own(id);
    const file = await this.#database.files.findOne({
      _id,
      uid: this.#uid,
      state: { $in: ["uploading", "checking", "ready"] },
    });
    if (!file) throw TUS_ERRORS.FILE_NOT_FOUND;
    const isComplete = file.state !== "uploading";
    // A picture's size changes when it is re-encoded.
    const size = isComplete ? file.received : file.size;
    return new Upload({ id, size, offset: file.received, creation_date: file.createdAt.toISOString() });
  }

  /** Stores as much as arrives, also if the connection breaks, so that the client can go on from there. */
  override async write(stream: Readable, id: string, offset: number): Promise<number> {
    let received = offset;
    let waiting: Buffer[] = [];
    let size = 0;
    const flush = async () => {
      if (size === 0) return;
      await this.#append(id, received, Buffer.concat(waiting, size));
      received += size;
      [waiting, size] = [[], 0];
    };
    try {
      for await (const chunk of stream as AsyncIterable<Buffer>) {
        waiting.push(chunk);
        size += chunk.length;
        if (size >= FILE_LIMITS.part) await flush();
      }
    } finally {
      await flush();
    }
    return received;
  }

  async #append(id: string, offset: number, bytes: Buffer): Promise<void> {
    const { files, fileParts, transaction } = this.#database;
    const own = this.#own(id);
    const isComplete = await transaction(async () => {
      const filter = { ...own, state: "uploading", received: offset } as const;
      const file = await files.findOneAndUpdate(
        filter,
        { $inc: { received: bytes.length } },
        { returnDocument: "after", projection: { size: 1, received: 1 } },
      );
      if (!file) throw TUS_ERRORS.INVALID_OFFSET;
      const part = { _id: new ObjectId(), fileId: file._id, offset, bytes: new Binary(bytes) };
      await fileParts.insertOne(part);
      if (file.received < file.size) return false;
      await files.updateOne({ _id: file._id }, { $set: { state: "checking" } });
      await enqueue(this.#database, { kind: "file-check", subject: [file._id] });
      return true;
    });
    if (isComplete) this.#jobs.nudge("file-check");
  }

  override async remove(id: string): Promise<void> {
    const { matchedCount } = await this.#database.files.updateOne(
      { ...this.#own(id), place: { $exists: false }, state: { $ne: "unused" } },
      { $set: { state: "unused", expireAt: this.#now } },
    );
    if (matchedCount === 0) throw TUS_ERRORS.FILE_NOT_FOUND;
  }

  #own(id: string): { _id: ObjectId; uid: string } {
    if (!/^[\da-f]{24}$/.test(id)) throw TUS_ERRORS.FILE_NOT_FOUND;
    return { _id: new ObjectId(id), uid: this.#uid };
  }
}

function refusal(detail: string): ProblemError {
  return new ProblemError("invalid", { detail });
}

/**
 * A name that is safe to show and to save: without folders, and without characters that are invisible or change the
 * direction of the text, which make `exe` look like `png`. Shortened before its ending.
 */
export function cleanName(sent: string): string {
  const name = sent
    .slice(-1_000)
    .normalize("NFC")
    .replace(/^.*[/\\]/su, "")
    .replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\u2028\u2029]/gu, "")
    .replace(/\s+/gu, " ")
    .trim();
  if (/^\.*$/.test(name)) return "file";
  if (name.length <= FILE_LIMITS.name) return name;
  const [ending = ""] = /\.[^.\s]{1,10}$/u.exec(name) ?? [];
  return cut(name, FILE_LIMITS.name - ending.length) + ending;
}

/** Never splits a surrogate pair. */
function cut(text: string, max: number): string {
  return text.slice(0, max).replace(/[\uD800-\uDBFF]$/, "");
}
