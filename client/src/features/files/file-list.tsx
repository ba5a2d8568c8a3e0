import type { FileInfo } from "@tasklane/server/contract";
import { FileText } from "lucide-react";
import { type ReactNode, useState } from "react";
import { DownloadButton } from "../../auth/download-button.tsx";
import { formatBytes } from "../../lib/format.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { contentPath, usePicture } from "./file-queries.ts";

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
    <li className="flex min-w-0 items-center gap-3 rounded-field border border-base-300 bg-base-100 p-1.5 text-start text-base-content">
      {file.picture ? <Thumbnail file={file} {...(onShow && { onShow })} /> : <FileSymbol />}
      <span className="min-w-0 grow text-sm">
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
  const src = usePicture(file._id, true);
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
  const src = usePicture(file._id);
  return (
    <div className="grid grid-cols-1 justify-items-center gap-4">
      {src ? (
        <img src={src} alt={file.name} className="max-w-full rounded-field" />
      ) : (
        <div className="skeleton h-20 w-full" aria-hidden="true" />
      )}
      <DownloadButton path={contentPath(file._id)} file={file.name}>
        Download
      </DownloadButton>
    </div>
  );
}
