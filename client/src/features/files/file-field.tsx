import { FILE_LIMITS } from "@tasklane/server/contract";
import { Paperclip } from "lucide-react";
import { type DragEvent, useEffect, useEffectEvent, useRef, useState } from "react";
import { useAuth } from "../../auth/session.tsx";
import { plural } from "../../lib/format.ts";
import { FieldError, useFormField } from "../../ui/field.tsx";
import { useHiddenInput } from "../../ui/list-field.tsx";
import { useOnReconnect } from "../../ui/use-reconnect.ts";
import { type Entry, EntryRow, uploads } from "./upload.tsx";

const MB = 1_000_000;

type Props = {
  name?: string | undefined;
  label: string;
  hint?: string;
  /** The ids of files that were sent, and are no longer in the form. */
  sent?: readonly string[];
  /** Shows the files, which cannot be changed. */
  readOnly?: boolean;
};

/**
 * Files that are uploaded while the form is filled in: chosen, dropped or pasted. Its value are the files' ids, a line
 * each; one that is not uploaded is a line without an id, which the schema refuses.
 */
export function FileField({ name = "files", label, hint, sent = [], readOnly = false }: Props) {
  const { id, initial, error } = useFormField(name);
  const { getToken } = useAuth();
  const [all, setEntries] = useState<Entry[]>(() => {
    const ids = initial.split("\n");
    return ids.filter((line) => line !== "" && line !== NOT_READY).map((id) => ({ key: id, id, sent: 0 }));
  });
  const entries = all.filter((entry) => !entry.id || !sent.includes(entry.id));
  const input = useRef<HTMLInputElement>(null);
  const area = useRef<HTMLDivElement>(null);
  const [isOver, setIsOver] = useState(false);
  const [announcement, setAnnouncement] = useState("");
  /** How many of those added last had no room. */
  const [leftOut, setLeftOut] = useState(0);

  const value = entries.map((entry) => (entry.isUnready ? NOT_READY : (entry.id ?? NOT_READY))).join("\n");
  const hiddenInput = useHiddenInput(value);

  const change = (key: string, update: Partial<Entry>) =>
    setEntries((all) => all.map((entry) => (entry.key === key ? { ...entry, ...update } : entry)));
  const add = (files: Iterable<File>) => {
    const added = [...files];
    const room = Math.max(0, FILE_LIMITS.count - entries.length);
    setLeftOut(Math.max(0, added.length - room));
    for (const file of added.slice(0, room)) {
      nextKey += 1;
      const key = `new-${nextKey}`;
      const error =
        file.size === 0 ? "The file is empty." : file.size > FILE_LIMITS.bytes ? TOO_LARGE : undefined;
      const upload = error
        ? undefined
        : uploads.start(file, {
            getToken,
            onProgress: (sent) => change(key, { sent }),
            onError: (message) => change(key, { error: message }),
            onDone(id) {
              // The same file, chosen twice while it was being sent, arrives once.
              setEntries((all) => all.filter((entry) => entry.id !== id));
              change(key, { id });
              setAnnouncement(`${file.name} is uploaded.`);
            },
          });
      setEntries((all) => [...all, { key, file, sent: 0, error, upload }]);
    }
  };
  const retry = ({ key, upload }: Entry) => {
    change(key, { error: undefined });
    upload?.retry();
  };
  const cancel = ({ id, upload }: Entry) => {
    if (!id) upload?.cancel();
  };

  // What is still being sent when the form is left has nowhere to go.
  const cancelAll = useEffectEvent(() => entries.forEach(cancel));
  useEffect(() => () => cancelAll(), []);
  // A connection that is back continues what it interrupted.
  useOnReconnect(() => {
    for (const entry of entries) if (entry.error && entry.upload) retry(entry);
  });
  // Pasted anywhere in the form.
  useEffect(() => {
    const owner = area.current?.closest("form");
    const onPaste = (event: ClipboardEvent) => {
      const { files = [], types = [] } = event.clipboardData ?? {};
      // Office programs copy a picture of the text along.
      const isText = types.includes("text/plain") && types.includes("text/html");
      if (readOnly || isText || files.length === 0) return;
      event.preventDefault();
      add(files);
    };
    owner?.addEventListener("paste", onPaste);
    return () => owner?.removeEventListener("paste", onPaste);
  });

  const onDrop = (event: DragEvent) => {
    event.preventDefault();
    setIsOver(false);
    if (!readOnly) add(event.dataTransfer.files);
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: dropping is a shortcut; the button does the same.
    <div
      ref={area}
      className={`fieldset grid-cols-1 gap-2 rounded-field py-0 text-sm ${isOver ? "bg-base-200" : ""}`}
      onDragOver={(event) => {
        event.preventDefault();
        setIsOver(!readOnly);
      }}
      onDragLeave={() => setIsOver(false)}
      onDrop={onDrop}
    >
      <input ref={hiddenInput} type="hidden" name={name} value={value} />
      {entries.length > 0 && (
        <ul aria-label="Attached files" className="grid grid-cols-1 gap-2">
          {entries.map((entry) => (
            <EntryRow
              key={entry.key}
              entry={entry}
              onState={(isUnready) => change(entry.key, { isUnready })}
              onRetry={() => retry(entry)}
              {...(!readOnly && {
                onRemove: () => {
                  cancel(entry);
                  setEntries((all) => all.filter(({ key }) => key !== entry.key));
                  setLeftOut(0);
                  input.current?.focus();
                },
              })}
            />
          ))}
        </ul>
      )}
      {!readOnly && (
        <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <label className="btn btn-outline btn-sm has-focus-visible:outline-3 has-focus-visible:outline-primary">
            <Paperclip />
            {label}
            <input
              ref={input}
              id={id}
              type="file"
              multiple
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
            {hint ??
              `Up to ${FILE_LIMITS.count}, ${FILE_LIMITS.bytes / MB} MB each. Drop or paste them here, too.`}
          </span>
        </span>
      )}
      <p role="status" className={leftOut > 0 ? "font-medium text-error" : "sr-only"}>
        {leftOut > 0
          ? `At most ${FILE_LIMITS.count} files: ${plural(leftOut, "file was", "files were")} left out.`
          : announcement}
      </p>
      <FieldError id={id} error={error} />
    </div>
  );
}

let nextKey = 0;

const NOT_READY = "…";

const TOO_LARGE = `A file can have at most ${FILE_LIMITS.bytes / MB} MB.`;
