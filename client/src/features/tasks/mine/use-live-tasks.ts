import type { Task } from "@tasklane/server/contract";
import { useEffect, useState } from "react";
import { useApi } from "../../../lib/api-provider.tsx";
import { taskNews } from "../../../lib/live.ts";
import { readTask } from "../tasks-api.ts";

/** How long news are gathered before the tasks they name are read, in ms. */
const GATHER_MS = 300;

/** My tasks as they are now: one that a notification names is read again, on its own, for lists are large and limited. */
export function useLiveTasks(loaded: Task[]): Task[] {
  const api = useApi();
  const [read, setRead] = useState<{ of: Task[]; byId: ReadonlyMap<string, Task> }>();

  useEffect(() => {
    const named = new Set<string>();
    const stop = new AbortController();
    let timer: number | undefined;
    const readNamed = async () => {
      timer = undefined;
      const ids = [...named];
      named.clear();
      // What cannot be read now stays as it is; the next news, or the next look at the page, reads it again.
      const tasks = await Promise.all(ids.map((id) => readTask(api, id, stop.signal).catch(() => null)));
      if (stop.signal.aborted) return;
      const found = tasks.flatMap((task) => (task ? [[task._id, task] as const] : []));
      setRead((before) => ({
        of: loaded,
        byId: new Map([...(before?.of === loaded ? before.byId : []), ...found]),
      }));
    };
    const unsubscribe = taskNews.subscribe((id) => {
      if (!loaded.some((task) => task._id === id)) return;
      named.add(id);
      timer ??= window.setTimeout(() => void readNamed(), GATHER_MS);
    });
    return () => {
      unsubscribe();
      window.clearTimeout(timer);
      stop.abort();
    };
  }, [api, loaded]);

  return read?.of === loaded ? loaded.map((task) => read.byId.get(task._id) ?? task) : loaded;
}
