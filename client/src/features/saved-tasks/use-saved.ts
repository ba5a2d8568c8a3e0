import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { useLocation, useNavigate } from "react-router-dom";
import { useAuth } from "../../auth/auth-context.tsx";
import { useApi } from "../../lib/api-context.tsx";
import { paths, withReturnPath } from "../../lib/paths.ts";
import { problemText } from "../../lib/problem.ts";
import { notify } from "../../ui/notify.tsx";
import { savedIdsQuery, setSaved } from "./saved-task-queries.ts";
import { rememberWanted, type SavableTask } from "./wanted-save.ts";

/**
 * Whether a task is saved, and the button that changes it: at once, and back with a word if that fails. Who presses it
 * again meanwhile is followed, one write after the other. Visitors are led to log in, and it is done after that.
 * @param assumed whether it is saved, as long as the ids of saved tasks are not read.
 */
export function useSaved(
  { _id, title }: SavableTask,
  assumed: boolean,
): { saved: boolean; toggle: () => Promise<void> } {
  const { user, ready } = useAuth();
  const api = useApi();
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const { pathname, search } = useLocation();
  const { data: stored = assumed } = useQuery({
    ...savedIdsQuery(api),
    enabled: user !== null,
    select: (ids) => ids.includes(_id),
  });
  const [wanted, setWanted] = useState<boolean>();
  const latest = useRef(false);
  const writing = useRef(false);
  const saved = wanted ?? stored;

  const toggle = async () => {
    latest.current = !saved;
    setWanted(latest.current);
    if (writing.current) return;
    writing.current = true;
    const topic = `saved-${_id}`;
    notify.dismiss(topic);
    try {
      // The provider may still be finding out who is there.
      if (!(user ?? (await ready()))) {
        rememberWanted({ _id, title });
        return void (await navigate(withReturnPath(paths.login, pathname + search)));
      }
      let done = saved;
      while (done !== latest.current) {
        const next = latest.current;
        await setSaved({ api, queryClient }, _id, next);
        done = next;
      }
    } catch (error) {
      const what = latest.current ? "saved" : "removed from your saved tasks";
      notify.error(`“${title}” was not ${what}. ${problemText(error)}`, { topic });
    } finally {
      writing.current = false;
      setWanted(undefined);
    }
  };
  return { saved, toggle };
}
