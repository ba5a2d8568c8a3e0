import { useQuery } from "@tanstack/react-query";
import { RotateCw, X } from "lucide-react";
import { useEffect, useEffectEvent } from "react";
import { formatBytes } from "../../lib/format.ts";
import { problemText } from "../../lib/problem.ts";
import { FileRow, FileSymbol, uploadQuery } from "./file-list.tsx";
import type { RunningUpload } from "./upload.ts";

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
