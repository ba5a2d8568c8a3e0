import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { Binary, GridFSFile, ObjectId } from "mongodb";
import { GridFSBucket } from "mongodb";
import { CONTENT_BUCKET, type Database } from "../../db/client.ts";
import { currentRequest } from "../../db/transaction.ts";

/** Where the content of files is kept, under the ids of their documents. */
export type Storage = {
  /** Stores content in place of what was there, also if an earlier attempt broke off. */
  put(id: ObjectId, content: Buffer): Promise<void>;
  /** @throws {ContentMissing} before the first byte. */
  read(id: ObjectId): Promise<Readable>;
  /** Does nothing if there is none. */
  remove(id: ObjectId): Promise<void>;
};

export class ContentMissing extends Error {
  override name = "ContentMissing";
}

/** S3-compatible storage if the configuration names one, otherwise the product's own database. */
export function openStorage(
  { db }: Pick<Database, "db">,
  { s3Url }: { s3Url?: string | undefined },
): Storage {
  return s3Url ? s3Storage(s3Url) : gridFsStorage(db);
}

/** In GridFS, so that one database holds everything, and a backup of it does. */
function gridFsStorage(db: Database["db"]): Storage {
  const bucket = new GridFSBucket(db, { bucketName: CONTENT_BUCKET });
  async function remove(id: ObjectId): Promise<void> {
    try {
      // Chunks that an interrupted upload left are deleted, too.
      await bucket.delete(id);
    } catch (error) {
      if (!isMissing(error)) throw error;
    }
  }
  // The driver's own stream holds up to 16 MB for each reader, and leaves its cursor open when it is destroyed.
  async function* contentOf({ _id, length }: GridFSFile) {
    const chunks = db.collection<{ data: Binary }>(`${CONTENT_BUCKET}.chunks`);
    const options = { sort: { n: 1 }, batchSize: 4 } as const;
    let missing = length;
    for await (const { data } of chunks.find({ files_id: _id }, options)) {
      missing -= data.length();
      yield data.buffer;
    }
    if (missing !== 0) throw new Error(`${missing} bytes of the file ${_id} are missing`);
  }
  return {
    remove,
    async put(id, content) {
      await remove(id);
      await pipeline(slicesOf(content), bucket.openUploadStreamWithId(id, id.toHexString()));
    },
    async read(id) {
      const [found] = await bucket.find({ _id: id }).toArray();
      if (!found) throw new ContentMissing(id.toHexString());
      return Readable.from(contentOf(found));
    },
  };
}

/** The driver stores all chunks of what it gets at once, which could take every connection. */
function* slicesOf(content: Buffer) {
  for (let at = 0; at < content.length; at += SLICE) yield content.subarray(at, at + SLICE);
}
const SLICE = 2 * 1024 * 1024;

function isMissing(error: unknown): boolean {
  return error instanceof Error && error.message.startsWith("File not found");
}

/** More than the requests that an instance works on at once. */
const MAX_SOCKETS = 400;

/**
 * In a bucket of an S3-compatible service.
 * @param url `https://key:secret@host/bucket?region=eu-1`.
 */
function s3Storage(url: string): Storage {
  const { username, password, pathname, protocol, host, searchParams } = new URL(url);
  const [, Bucket = ""] = pathname.split("/");
  // Large, and most installations do without it.
  const sdk = import("@aws-sdk/client-s3");
  const client = sdk.then(
    ({ S3Client }) =>
      new S3Client({
        endpoint: `${protocol}//${host}`,
        region: searchParams.get("region") ?? "us-east-1",
        forcePathStyle: true,
        credentials: {
          accessKeyId: decodeURIComponent(username),
          secretAccessKey: decodeURIComponent(password),
        },
        // Slow visitors leave sockets for the others, and a service that no longer answers ends what waits for it.
        requestHandler: {
          connectionTimeout: 3_000,
          socketTimeout: 60_000,
          httpAgent: { maxSockets: MAX_SOCKETS },
          httpsAgent: { maxSockets: MAX_SOCKETS },
        },
      }),
  );
  /** A request's work ends at its deadline, or when its client has left. */
  const limits = () => {
    const abortSignal = currentRequest()?.signal;
    return abortSignal ? { abortSignal } : {};
  };
  const keyOf = (id: ObjectId) => ({ Bucket, Key: `files/${id}` });
  return {
    async put(id, content) {
      const { PutObjectCommand } = await sdk;
      await (await client).send(new PutObjectCommand({ ...keyOf(id), Body: content }), limits());
    },
    async read(id) {
      const { GetObjectCommand, NoSuchKey } = await sdk;
      try {
        const { Body } = await (await client).send(new GetObjectCommand(keyOf(id)), limits());
        if (Body instanceof Readable) return Body;
      } catch (error) {
        if (!(error instanceof NoSuchKey)) throw error;
      }
      throw new ContentMissing(id.toHexString());
    },
    async remove(id) {
      const { DeleteObjectCommand } = await sdk;
      await (await client).send(new DeleteObjectCommand(keyOf(id)), limits());
    },
  };
}
