import { useQueryClient } from "@tanstack/react-query";
import type { Task } from "@tasklane/server/contract";
import { useState } from "react";
import { plural } from "../../../lib/format.ts";
import { ApiProblem } from "../../../lib/problem.ts";
import { useAction } from "../../../lib/submission.ts";
import { confirm, showSuccess } from "../../../ui/confirm.ts";
import { notify } from "../../../ui/notify.tsx";
import { myTasksQuery } from "../task-queries.ts";

/** Deletes tasks after a confirmation. Those that are being deleted are hidden, and come back if that fails. */
export function useDeletion() {
  const queryClient = useQueryClient();
  const [deleting, setDeleting] = useState<readonly string[]>([]);
  const { send } = useAction(async (call, id: string) => {
    try {
      await call("DELETE /tasks/:id", { params: { id } });
    } catch (error) {
      // It is deleted already.
      if (!(error instanceof ApiProblem && error.code === "task-not-found")) throw error;
    }
    // If the list cannot be refetched just now, it must not show the task again.
    queryClient.setQueryData(myTasksQuery("").queryKey, (tasks) => tasks?.filter(({ _id }) => _id !== id));
  });
  const remove = async ({ _id: id, title, bidsCount }: Task) => {
    if (bidsCount > 0 && !(await confirm(biddersWarning(bidsCount)))) return;
    if (!(await confirm(LAST_WARNING))) return;
    const topic = `task-${id}`;
    notify.dismiss(topic);
    setDeleting((ids) => [...ids, id]);
    const result = await send(id);
    setDeleting((ids) => ids.filter((other) => other !== id));
    if (result.ok) void showSuccess("Deleted!", "Your task has been deleted.");
    else notify.error(`“${title}” was not deleted. ${result.message}`, { topic });
  };
  return { deleting, remove };
}

const LAST_WARNING = {
  title: "Are you sure?",
  text: "You won't be able to revert this!",
  yes: "Yes, delete it!",
};

/** Asked first if freelancers have bid, before the usual confirmation. */
function biddersWarning(bidsCount: number) {
  return {
    title: `${plural(bidsCount, "freelancer has", "freelancers have")} bid and will be notified`,
    text: "Deleting the task removes their bids with it. Cancelling it keeps them, in case you reopen it.",
    yes: "Continue",
    no: "Keep it",
  };
}
