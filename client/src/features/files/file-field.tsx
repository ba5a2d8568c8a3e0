import { useQuery } from "@tanstack/react-query";
import { FILE_LIMITS } from "@tasklane/server/contract";
import { Paperclip, RotateCw, X } from "lucide-react";
import { type DragEvent, type ReactNode, use, useEffect, useEffectEvent, useRef, useState } from "react";
import { useAuth } from "../../auth/session.tsx";
import { useApi } from "../../lib/api-context.tsx";
import { formatBytes } from "../../lib/format.ts";
import { problemText } from "../../lib/problem.ts";
import { FieldError, FormFieldsContext } from "../../ui/field.tsx";
import { useHiddenInput } from "../../ui/list-field.tsx";
import { FileRow, FileSymbol } from "./file-list.tsx";
import { uploadQuery } from "./file-queries.ts";
import { type RunningUpload, type Sending, uploads } from "./upload.ts";

const MB = 1_000_000;

type Props = {
  name?: string | undefined;
  label: string;
  hint?: string;
  max?: number;
  /** False to start empty, after the form's first files were sent. */
  hasInitial?: boolean;
  /** Shows the files, which cannot be changed. */
  readOnly?: boolean;
};

/**
 * Files that are uploaded while the form is filled in: chosen, dropped or pasted. Its value are the files' ids, a line
 * each; one that is not uploaded is a line without an id, which the schema refuses.
 */
export function FileField({
  name = "files",
  label,
  hint,
  max = FILE_LIMITS.count,
  hasInitial = true,
  readOnly = false,
}: Props) {
  const form = use(FormFieldsContext);
  const id = `${form.name}-${name}`;
  const error = form.errors[name];
  const { getToken } = useAuth();
  const [ids, setIds] = useState(() =>
    hasInitial
      ? (form.values[name] ?? "").split("\n").filter((line) => line !== "" && line !== NOT_READY)
      : [],
  );
  const [sending, setSending] = useState<Sending[]>([]);
  const running = useRef(new Map<number, RunningUpload>());
  const input = useRef<HTMLInputElement>(null);
  const area = useRef<HTMLDivElement>(null);
  const [isOver, setIsOver] = useState(false);
  const [announcement, setAnnouncement] = useState("");
  const [unready, setUnready] = useState<readonly string[]>([]);

  const value = [
    ...ids.map((each) => (unready.includes(each) ? NOT_READY : each)),
    ...sending.map(() => NOT_READY),
  ].join("\n");
  const hiddenInput = useHiddenInput(value);

  const change = (key: number, update: Partial<Sending>) =>
    setSending((all) => all.map((one) => (one.key === key ? { ...one, ...update } : one)));
  const drop = (key: number) => {
    running.current.delete(key);
    setSending((all) => all.filter((one) => one.key !== key));
  };

  const add = (files: Iterable<File>) => {
    for (const file of files) {
      nextKey += 1;
      const key = nextKey;
      const refusal =
        file.size === 0 ? "The file is empty." : file.size > FILE_LIMITS.bytes ? TOO_LARGE : undefined;
      setSending((all) => [...all, { key, file, sent: 0, ...(refusal && { error: refusal }) }]);
      if (refusal) continue;
      const upload = uploads.start(file, {
        getToken,
        onProgress: (sent) => change(key, { sent }),
        onError: (message) => change(key, { error: message }),
        onDone(done) {
          drop(key);
          // The same file, chosen twice while it was being sent, arrives once.
          setIds((all) => [...all.filter((each) => each !== done), done]);
          setAnnouncement(`${file.name} is uploaded.`);
        },
      });
      running.current.set(key, upload);
    }
  };
  const retry = (key: number) => {
    change(key, { error: undefined });
    running.current.get(key)?.retry();
  };

  // What is still being sent when the form is left has nowhere to go.
  useEffect(() => {
    const all = running.current;
    return () => {
      for (const upload of all.values()) upload.cancel();
    };
  }, []);
  // A connection that is back continues what it interrupted.
  useEffect(() => {
    const goOn = () => {
      for (const { key, error } of sending) if (error && running.current.has(key)) retry(key);
    };
    window.addEventListener("online", goOn);
    return () => window.removeEventListener("online", goOn);
  });
  // Pasted anywhere in the form.
  useEffect(() => {
    const owner = area.current?.closest("form");
    const onPaste = (event: ClipboardEvent) => {
      if (event.clipboardData?.files.length) {
        event.preventDefault();
        add(event.clipboardData.files);
      }
    };
    owner?.addEventListener("paste", onPaste);
    return () => owner?.removeEventListener("paste", onPaste);
  });

  const onDrop = (event: DragEvent) => {
    event.preventDefault();
    setIsOver(false);
    add(event.dataTransfer.files);
  };
  const remove = (each: string) => {
    setIds((all) => all.filter((other) => other !== each));
    input.current?.focus();
  };
  const count = ids.length + sending.length;
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: dropping is a shortcut; the button does the same.
    <div
      ref={area}
      className={`fieldset grid-cols-1 gap-2 rounded-field py-0 text-sm ${isOver ? "bg-base-200" : ""}`}
      onDragOver={(event) => {
        event.preventDefault();
        setIsOver(true);
      }}
      onDragLeave={() => setIsOver(false)}
      onDrop={onDrop}
    >
      <input ref={hiddenInput} type="hidden" name={name} value={value} />
      {count > 0 && (
        <ul aria-label="Attached files" className="grid grid-cols-1 gap-2">
          {ids.map((each) => (
            <Uploaded
              key={each}
              id={each}
              onState={(isReady) =>
                setUnready((all) => all.filter((other) => other !== each).concat(isReady ? [] : each))
              }
              {...(!readOnly && { onRemove: () => remove(each) })}
            />
          ))}
          {sending.map((one) => (
            <SendingRow
              key={one.key}
              sending={one}
              onRemove={() => {
                running.current.get(one.key)?.cancel();
                drop(one.key);
                input.current?.focus();
              }}
              {...(running.current.has(one.key) && { onRetry: () => retry(one.key) })}
            />
          ))}
        </ul>
      )}
      {!readOnly && (
        <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <label className="btn btn-outline btn-sm has-focus-visible:outline-3 has-focus-visible:outline-primary">
            <Paperclip aria-hidden="true" className="size-4" />
            {label}
            <input
              ref={input}
              id={id}
              type="file"
              multiple={max > 1}
              className="sr-only"
              aria-invalid={error ? true : undefined}
              aria-describedby={[`${id}-hint`, error && `${id}-error`].filter(Boolean).join(" ")}
              onChange={({ currentTarget }) => {
                add(currentTarget.files ?? []);
                currentTarget.value = "";
              }}
            />
          </label>
          <span id={`${id}-hint`} className="quiet text-xs">
            {hint ?? `Up to ${max}, ${FILE_LIMITS.bytes / MB} MB each. Drop or paste them here, too.`}
          </span>
        </span>
      )}
      <p role="status" className="sr-only">
        {announcement}
      </p>
      <FieldError id={id} error={error} />
    </div>
  );
}

let nextKey = 0;
const NOT_READY = "…";
const TOO_LARGE = `A file can have at most ${FILE_LIMITS.bytes / MB} MB.`;

type UploadedProps = { id: string; onState: (isReady: boolean) => void; onRemove?: () => void };

/** A file that has arrived; the server checks it for a moment. */
function Uploaded({ id, onState, onRemove }: UploadedProps) {
  const { data, error } = useQuery(uploadQuery(useApi(), id));
  const file = data?.file;
  const isUnready = data !== undefined && !file;
  const report = useEffectEvent(onState);
  useEffect(() => report(!isUnready), [isUnready]);
  if (file)
    return <FileRow file={file}>{onRemove && <RemoveButton name={file.name} onRemove={onRemove} />}</FileRow>;
  const text = error ? problemText(error) : (data?.reason ?? "Checking the file…");
  const name = data?.name ?? "this file";
  return (
    <PlainRow name={data?.name} isFailed={Boolean(error ?? data?.reason)} text={text}>
      {onRemove && <RemoveButton name={name} onRemove={onRemove} />}
    </PlainRow>
  );
}

type SendingProps = { sending: Sending; onRemove: () => void; onRetry?: () => void };

function SendingRow({ sending: { file, sent, error }, onRemove, onRetry }: SendingProps) {
  return (
    <PlainRow
      name={file.name}
      isFailed={error !== undefined}
      text={error ?? `${formatBytes(sent)} of ${formatBytes(file.size)}`}
      progress={
        error ? undefined : (
          <progress
            className="block w-full accent-primary"
            aria-label={file.name}
            value={sent}
            max={file.size}
          />
        )
      }
    >
      {error && onRetry && (
        <button
          type="button"
          className="btn btn-square btn-ghost"
          aria-label={`Upload ${file.name} again`}
          onClick={onRetry}
        >
          <RotateCw aria-hidden="true" className="size-4" />
        </button>
      )}
      <RemoveButton name={file.name} onRemove={onRemove} />
    </PlainRow>
  );
}

type PlainProps = {
  name?: string | undefined;
  text: string;
  isFailed: boolean;
  progress?: ReactNode;
  children: ReactNode;
};

function PlainRow({ name, text, isFailed, progress, children }: PlainProps) {
  return (
    <li className="flex min-w-0 items-center gap-3 rounded-field border border-base-300 p-1.5">
      <FileSymbol />
      <span className="min-w-0 grow">
        {name && <bdi className="line-clamp-2 font-medium wrap-anywhere">{name}</bdi>}
        <span
          role={isFailed ? "alert" : undefined}
          className={`text-xs tabular-nums ${isFailed ? "font-medium text-error" : "quiet"}`}
        >
          {text}
        </span>
        {progress}
      </span>
      {children}
    </li>
  );
}

function RemoveButton({ name, onRemove }: { name: string; onRemove: () => void }) {
  return (
    <button
      type="button"
      className="btn btn-square btn-ghost"
      aria-label={`Remove ${name}`}
      onClick={onRemove}
    >
      <X aria-hidden="true" className="size-4" />
    </button>
  );
}
