import * as z from "zod/mini";
import { download, endpoints, list, ok } from "./endpoint.ts";
import { atMost, sideSchema } from "./fields.ts";

const MB = 1_000_000;
/**
 * Bounds of files: characters of a name, bytes of one file and of a person's uploads on one day (UTC), how many hang on
 * one thing, pixels of a picture, bytes sent at a time, and hours that an upload waits to be used.
 */
export const FILE_LIMITS = {
  name: 120,
  bytes: 25 * MB,
  bytesPerDay: 200 * MB,
  count: 10,
  pixels: 50 * MB,
  part: MB,
  hours: 24,
} as const;

/** Where uploads are sent with the tus protocol (https://tus.io/protocols/resumable-upload). */
export const UPLOADS_PATH = "/files/uploads";

/** A file that was uploaded and checked. `size` in bytes; `type` is a media type, found from the content. */
export const fileSchema = z.object({
  _id: z.string(),
  name: z.string(),
  size: z.number(),
  type: z.string(),
  /** Has it a thumbnail, and may it be shown in a page? */
  picture: z.optional(z.literal(true)),
  /** True if no virus scanner has checked it. */
  unscanned: z.optional(z.literal(true)),
});
export type FileInfo = z.infer<typeof fileSchema>;
export const fileListSchema = z.array(fileSchema);

/** What files hang on: a task's brief, a bid, a message, a delivery, one side's case, or a person's profile. */
export const FILE_PLACES = ["task", "bid", "message", "delivery", "dispute", "photo", "portfolio"] as const;
export type FilePlace = (typeof FILE_PLACES)[number];

/** `GET /tasks/:id/files`: each file with what it hangs on, whose id is `on`. */
export const taskFileSchema = z.extend(fileSchema, {
  place: z.enum(FILE_PLACES),
  on: z.string(),
  by: sideSchema,
});
export type TaskFile = z.infer<typeof taskFileSchema>;

export const UPLOAD_STATES = ["uploading", "checking", "ready", "refused"] as const;

/** `GET /files/:id`: what became of an upload. `reason` says why it was refused. */
export const uploadSchema = z.object({
  state: z.enum(UPLOAD_STATES),
  name: z.string(),
  file: z.optional(fileSchema),
  reason: z.optional(z.string()),
});
export type Upload = z.infer<typeof uploadSchema>;

/** Ids of the caller's uploads, in a draft. Absent: unchanged; a file that is no longer listed is deleted. */
// @__NO_SIDE_EFFECTS__
export function fileIds(max: number = FILE_LIMITS.count) {
  const id = z
    .string()
    .check(z.regex(/^[\da-f]{24}$/, "This file is not uploaded: wait until it is, or remove it."));
  return z.optional(
    z.array(id, { error: "Give the ids of files as a list." }).check(
      atMost(max, `Attach at most ${max} ${max === 1 ? "file" : "files"}.`),
      z.refine((ids) => new Set(ids).size === ids.length, "Name each file once."),
    ),
  );
}

/** The query of `GET /files/:id/content`. */
export const fileQuerySchema = z.object({
  thumbnail: z.optional(z.literal("1", { error: "Say 1, or nothing." })),
});

/** `PUT /me/files`: the caller's photo, and pictures of earlier work. Absent: unchanged. */
export const profileFilesSchema = z.object({ photo: fileIds(1), portfolio: fileIds() });

export const fileEndpoints = /* @__PURE__ */ endpoints("Files", {
  readUpload: {
    method: "GET",
    path: "/files/:id",
    summary: "What became of the caller's upload",
    description: `Files are sent to \`${UPLOADS_PATH}\` with the tus protocol 1.0 (creation, termination), at most ${FILE_LIMITS.bytes / MB} MB each; parts below ${FILE_LIMITS.part / MB} MB count as writes. Then their content is checked; a file that nothing uses is deleted after ${FILE_LIMITS.hours} hours.`,
    access: "signed-in",
    responses: [ok(uploadSchema)],
    errors: ["file-not-found"],
  },
  readFile: {
    method: "GET",
    path: "/files/:id/content",
    summary: "Download a file, or its thumbnail",
    description: "Whoever may read what a file hangs on may read the file. Photos and portfolios are public.",
    access: "anyone",
    query: fileQuerySchema,
    streamed: true,
    responses: [download("*/*")],
    errors: ["file-not-found"],
  },
  listTaskFiles: {
    method: "GET",
    path: "/tasks/:id/files",
    summary: "The files on a task, its bids, deliveries and disputes that the caller may read",
    access: "signed-in",
    responses: [list(taskFileSchema)],
    errors: ["task-not-found"],
  },
  saveProfileFiles: {
    method: "PUT",
    path: "/me/files",
    summary: "Show uploaded files in the caller's profile, where everybody can read them",
    access: "signed-in",
    body: profileFilesSchema,
  },
  downloadFiles: {
    method: "GET",
    path: "/me/files.zip",
    summary: "All of the caller's files, as one archive",
    access: "signed-in",
    streamed: true,
    responses: [download("application/zip")],
  },
});
