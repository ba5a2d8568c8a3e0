import type { Task, TaskFile } from "@tasklane/server/contract";
import { useState } from "react";
import { readDraft } from "../../lib/drafts.ts";
import { useApi } from "../../lib/queries.tsx";
import { useDraft } from "../../ui/schema-form.tsx";
import { useFilesOn } from "./file-list.tsx";

type Target = {
  task: Pick<Task, "_id" | "version">;
  /** The bid or dispute that the files are on; undefined if there is none yet. */
  on: string | undefined;
  by: TaskFile["by"];
  /** The name of the form's draft, whose `basis` has `files: known`. */
  draft: string;
  /** There are no stored files to wait for. */
  isFirst?: boolean;
};

/**
 * The files that a form changes. `known`: the stored ones that the form, or its draft, began with; undefined until they are
 * loaded. What was attached since, for example on another device, nobody has removed here: `withOthers` sends it along.
 */
export function useAttachedFiles({ task, on, by, draft: draftName, isFirst = false }: Target) {
  const api = useApi();
  const draft = useDraft(draftName);
  const ownIds = (files: readonly TaskFile[]) =>
    files.filter((file) => file.on === on && file.by === by).map(({ _id }) => _id);
  const loaded = useFilesOn(task, on);
  const stored = loaded && ownIds(loaded);
  const [known, setKnown] = useState(
    () => (readDraft(draft)?.basis as { files?: string[] } | undefined)?.files ?? (isFirst ? [] : stored),
  );
  if (!known && stored) setKnown(stored);
  return {
    known,
    setKnown,
    stored: stored ?? known,
    async withOthers(chosen: string[]): Promise<string[]> {
      if (!on) return chosen;
      const { data } = await api.call("GET /tasks/:id/files", { params: { id: task._id } });
      return [...chosen, ...ownIds(data).filter((id) => !known?.includes(id) && !chosen.includes(id))];
    },
  };
}
