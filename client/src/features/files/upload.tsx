import { useQuery } from "@tanstack/react-query";
import { FILE_LIMITS, UPLOADS_PATH } from "@tasklane/server/contract";
import { RotateCw, X } from "lucide-react";
import { useEffect, useEffectEvent } from "react";
import type { Upload } from "tus-js-client";
import { apiOrigin } from "../../lib/env.ts";
import { formatBytes } from "../../lib/format.ts";
import { problemText } from "../../lib/problem.ts";
import { FileRow, FileSymbol, uploadQuery } from "./file-list.tsx";

type Hooks = {
  getToken(fresh: boolean): Promise<string | null>;
  onProgress(sent: number): void;
  onError(message: string): void;
  onDone(id: string): void;
};

/** An object, so that tests can replace the protocol, which is tested with the real server. */
export const uploads = { start };
export type RunningUpload = ReturnType<typeof start>;

/** Pauses between the attempts of one part, in ms; they begin anew after each part that arrives. */
const PAUSES_MS = [0, 1_000, 3_000, 5_000, 10_000];
/** Answers after which a part is sent again from where it stopped, like the one to a part that took too long. */
const REPEATED = [408, 409, 423, 429];

/**
 * Sends a file with the tus protocol, in parts, so that it goes on where it stopped: after a lost connection, and also when
 * the same file is chosen again after the page was reloaded.
 * @returns what stops it, and deletes what has arrived.
 */
function start(file: File, hooks: Hooks): { cancel(): void; retry(): void } {
  let upload: Upload | undefined;
  let isCancelled = false;
  const begin = async (tus: typeof import("tus-js-client")) => {
    upload = new tus.Upload(file, {
      endpoint: apiOrigin + UPLOADS_PATH,
      chunkSize: FILE_LIMITS.part,
      retryDelays: PAUSES_MS,
      onShouldRetry({ originalResponse }) {
        const status = originalResponse?.getStatus() ?? 0;
        return navigator.onLine && (status < 400 || status >= 500 || REPEATED.includes(status));
      },
      metadata: { filename: file.name },
      removeFingerprintOnSuccess: true,
      async onBeforeRequest(request) {
        const token = await hooks.getToken(false);
        if (token) request.setHeader("Authorization", `Bearer ${token}`);
      },
      onProgress: hooks.onProgress,
      onSuccess: () => hooks.onDone(upload?.url?.slice(-24) ?? ""),
      onError: async (error) =>
        hooks.onError(
          error instanceof tus.DetailedError && error.originalResponse
            ? reasonOf(error.originalResponse.getBody())
            : (await isReadable(file))
              ? LOST
              : UNREADABLE,
        ),
    });
    if (!(await isReadable(file))) return hooks.onError(UNREADABLE);
    const [earlier] = await upload.findPreviousUploads();
    if (earlier) upload.resumeFromPreviousUpload(earlier);
    if (!isCancelled) upload.start();
  };
  const load = () => import("tus-js-client").then(begin).catch(() => hooks.onError(NOT_LOADED));
  void load();
  return {
    cancel() {
      isCancelled = true;
      void upload?.abort(true).catch(() => undefined);
    },
    retry: () => void (upload ? upload.start() : load()),
  };
}

const LOST = "The connection was lost.";
// Most browsers remember a failed import until the page is reloaded.
const NOT_LOADED = "It could not be sent. Check your connection, reload the page, and choose it again.";
const UNREADABLE = "It cannot be read. If it is a folder, choose the files in it.";

/** False for a folder that was dropped, and for a file that was changed, moved or deleted since it was chosen. */
const isReadable = (file: File) =>
  new Response(file.slice(0, 1)).arrayBuffer().then(
    () => true,
    () => false,
  );

/** What the server says, or that something went wrong. */
function reasonOf(body: string): string {
  try {
    return String(JSON.parse(body).detail);
  } catch {
    return "It could not be uploaded.";
  }
}

/** A file that is being sent, could not be, or has arrived, and then has an id. */
export type Entry = {
  key: string;
  id?: string;
  file?: File;
  /** In bytes. */
  sent: number;
  error?: string | undefined;
  upload?: RunningUpload | undefined;
  /** The server has not checked it yet, or has refused it. */
  isUnready?: boolean;
};

type RowProps = {
  entry: Entry;
  onState: (isUnready: boolean) => void;
  onRetry: () => void;
  onRemove?: () => void;
};

/** A file that is being sent, could not be, or has arrived; then the server checks it for a moment. */
export function EntryRow({ entry, onState, onRetry, onRemove }: RowProps) {
  const { id = "", sent, upload } = entry;
  const { data, error: problem } = useQuery({ ...uploadQuery(id), enabled: id !== "" });
  const isUnready = data !== undefined && !data.file;
  const report = useEffectEvent(onState);
  useEffect(() => report(isUnready), [isUnready]);
  const name = entry.file?.name ?? data?.name;
  const removeButton = onRemove && (
    <button
      type="button"
      className="btn btn-square btn-ghost"
      aria-label={`Remove ${name ?? "this file"}`}
      onClick={onRemove}
    >
      <X />
    </button>
  );
  if (data?.file) return <FileRow file={data.file}>{removeButton}</FileRow>;
  const error = entry.error ?? (problem ? problemText(problem) : data?.reason);
  const size = entry.file?.size ?? 0;
  const text = error ?? (id ? "Checking the file…" : `${formatBytes(sent)} of ${formatBytes(size)}`);
  return (
    <li className="flex min-w-0 items-center gap-3 rounded-field border border-base-300 p-1.5">
      <FileSymbol />
      <span className="min-w-0 grow">
        {name && <bdi className="line-clamp-2 font-medium wrap-anywhere">{name}</bdi>}
        <span
          role={error && "alert"}
          className={`text-xs tabular-nums ${error ? "font-medium text-error" : "quiet"}`}
        >
          {text}
        </span>
        {!error && !id && (
          <progress className="block w-full accent-primary" aria-label={name} value={sent} max={size} />
        )}
      </span>
      {entry.error && upload && (
        <button
          type="button"
          className="btn btn-square btn-ghost"
          aria-label={`Upload ${name} again`}
          onClick={onRetry}
        >
          <RotateCw />
        </button>
      )}
      {removeButton}
    </li>
  );
}
