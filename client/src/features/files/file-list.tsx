import { type QueryClient, queryOptions, useQuery } from "@tanstack/react-query";
import type { FileInfo, Task, TaskFile, Upload } from "@tasklane/server/contract";
import { FileText } from "lucide-react";
import { type ReactNode, useState } from "react";
import { DownloadButton, fetchFile } from "../../auth/download-button.tsx";
import { useAuth } from "../../auth/session.tsx";
import { formatBytes } from "../../lib/format.ts";
import { endpointQuery } from "../../lib/queries.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { PartFailure } from "../../ui/load-failure.tsx";
import { useTaskPart } from "../tasks/task-queries.ts";

/** Files to look at and to download; nothing if there are none. */
export function AttachedFiles({
  files,
  label = "Files",
}: {
  files: readonly FileInfo[] | undefined;
  label?: string;
}) {
  const [shown, setShown] = useState<FileInfo>();
  if (!files?.length) return null;
  return (
    <>
      <ul aria-label={label} className="grid grid-cols-1 gap-2">
        {files.map((file) => (
          <FileRow key={file._id} file={file} onShow={() => setShown(file)}>
            <DownloadButton
              path={contentPath(file._id)}
              file={file.name}
              className="btn-ghost btn-square"
              isIcon
            >
              {`Download ${file.name}`}
            </DownloadButton>
          </FileRow>
        ))}
      </ul>
      {files.some(({ unscanned }) => unscanned) && (
        <p className="quiet text-xs">Not scanned for viruses: open only what you expect.</p>
      )}
      <Dialog
        title={shown?.name ?? ""}
        open={shown !== undefined}
        onClose={() => setShown(undefined)}
        shape="broad"
      >
        {shown && <Preview file={shown} />}
      </Dialog>
    </>
  );
}

type RowProps = { file: FileInfo; onShow?: () => void; children: ReactNode };

/** A file's picture or symbol, its name and size, and what can be done with it. */
export function FileRow({ file, onShow, children }: RowProps) {
  return (
    <li className="flex min-w-0 flex-wrap items-center gap-3 rounded-field border border-base-300 bg-base-100 p-1.5 text-start text-base-content">
      {file.picture ? <Thumbnail file={file} {...(onShow && { onShow })} /> : <FileSymbol />}
      <span className="min-w-0 grow basis-24 text-sm">
        <bdi className="line-clamp-2 wrap-anywhere font-medium">{file.name}</bdi>
        <span className="quiet text-xs">{formatBytes(file.size)}</span>
      </span>
      {children}
    </li>
  );
}

/** Takes the place of a picture. */
export function FileSymbol() {
  return (
    <span className="grid size-12 shrink-0 place-items-center rounded-field bg-base-200" aria-hidden="true">
      <FileText className="size-5" />
    </span>
  );
}

function Thumbnail({ file, onShow }: { file: FileInfo; onShow?: () => void }) {
  const { src } = usePicture(file._id, true);
  const picture = src ? <img src={src} alt="" className="size-full object-cover" /> : null;
  const shape = "size-12 shrink-0 overflow-hidden rounded-field bg-base-200";
  if (!onShow) return <span className={shape}>{picture}</span>;
  return (
    <button type="button" className={`${shape}`} aria-label={`Show ${file.name}`} onClick={onShow}>
      {picture}
    </button>
  );
}

function Preview({ file }: { file: FileInfo }) {
  const { src, isError } = usePicture(file._id);
  return (
    <div className="grid grid-cols-1 justify-items-center gap-4">
      {src ? (
        <img src={src} alt={file.name} className="max-w-full rounded-field" />
      ) : isError ? (
        <p role="alert">The picture could not be loaded.</p>
      ) : (
        <div className="skeleton h-20 w-full" aria-hidden="true" />
      )}
      <DownloadButton path={contentPath(file._id)} file={file.name}>
        Download
      </DownloadButton>
    </div>
  );
}

const POLL_MS = 500;

/** What became of an upload; asked again while it is being checked. */
export function uploadQuery(id: string) {
  return queryOptions({
    ...endpointQuery(["uploads", id], "GET /files/:id", { params: { id } }),
    refetchInterval: ({ state: { data } }) => data?.state === "checking" && POLL_MS,
  });
}

/** Waits until an upload was checked. */
export async function readChecked(queryClient: QueryClient, id: string): Promise<Upload> {
  const upload = await queryClient.fetchQuery({ ...uploadQuery(id), staleTime: 0 });
  if (upload.state !== "checking") return upload;
  await new Promise((resolve) => window.setTimeout(resolve, POLL_MS));
  return readChecked(queryClient, id);
}

/** The address of a file's content, or of its thumbnail. */
export function contentPath(id: string, isThumbnail = false): string {
  return `/files/${id}/content${isThumbnail ? "?thumbnail=1" : ""}`;
}

/** A picture as a data URL, because an image element could not send the token; undefined until it is loaded. */
function usePicture(id: string, isThumbnail = false): { src: string | undefined; isError: boolean } {
  const { getToken } = useAuth();
  const { data: src, isError } = useQuery({
    queryKey: ["pictures", id, isThumbnail],
    queryFn: async () => dataUrlOf(await fetchFile(contentPath(id, isThumbnail), getToken)),
    // It never changes.
    staleTime: Number.POSITIVE_INFINITY,
    retryOnMount: true,
  });
  return { src, isError };
}

function dataUrlOf(blob: Blob): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result));
    reader.onerror = () => reject(reader.error);
    reader.readAsDataURL(blob);
  });
}

/** The files on one thing: the task itself, a bid, a delivery or a dispute. Undefined until loaded, and for visitors. */
export function useFilesOn(
  task: Pick<Task, "_id" | "version">,
  on: string | undefined,
): TaskFile[] | undefined {
  const { user } = useAuth();
  const { data } = useTaskPart("files", task, user !== null && on !== undefined);
  return data?.filter((file) => file.on === on);
}

/** Says that a task's files could not be loaded; once on a page, for all that {@link useFilesOn} finds there. */
export function FilesFailure({ task }: { task: Pick<Task, "_id" | "version"> }) {
  const { user } = useAuth();
  const part = useTaskPart("files", task, user !== null);
  return <PartFailure what="The attached files" part={part} />;
}
