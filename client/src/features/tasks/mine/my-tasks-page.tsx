import type { Task } from "@tasklane/server/contract";
import { ClipboardList } from "lucide-react";
import { type ReactNode, useEffect, useRef } from "react";
import { Link, useFetchers, useLocation, useNavigate, useSearchParams } from "react-router-dom";
import { useAuth } from "../../../auth/auth-context.tsx";
import { useApi, useLoadedQuery } from "../../../lib/api-context.tsx";
import { paths } from "../../../lib/paths.ts";
import { PageHeading, PageMeta } from "../../../ui/page-head.tsx";
import { showSuccess } from "../../../ui/popup.ts";
import { StatePanel } from "../../../ui/state-panel.tsx";
import { useLiveOwnTasks } from "../live-tasks.ts";
import { myTasksQuery } from "../task-queries.ts";
import { BidsDialog } from "./bids-dialog.tsx";
import { TaskRow } from "./task-row.tsx";

type Props = {
  /** The list of a task's bids, which the app puts in the dialog. */
  renderBids: (task: Task, revision: number | undefined) => ReactNode;
};

/** My Posted Tasks: a table on wide screens, cards on phones. */
export function MyTasks({ renderBids }: Props) {
  const email = useAuth().user?.email ?? "";
  const tasks = useLoadedQuery(myTasksQuery(useApi(), email));
  useLiveOwnTasks(email);
  const { wanted, show, close } = useBidsInAddress();
  const sayWhenGone = useSayWhenGone(tasks);
  const deleting = useFetchers().filter((fetcher) => fetcher.formData?.get("intent") === "delete");
  const leaving = new Set(deleting.map((fetcher) => fetcher.formData?.get("id")));
  const shown = tasks.filter((task) => !leaving.has(task._id));

  return (
    <div className="space-y-6">
      <PageMeta title="My Posted Tasks" />
      <PageHeading
        title="My Posted Tasks"
        action={
          tasks.length > 0 && (
            <Link to={paths.addTask} className="btn btn-primary">
              Add Task
            </Link>
          )
        }
      />
      {shown.length === 0 && (
        <StatePanel
          icon={<ClipboardList className="size-7" />}
          title="No Tasks Available"
          action={
            <Link to="/addtask" className="btn btn-primary">
              Add Task Now
            </Link>
          }
        >
          You have not posted a task yet. It takes two minutes.
        </StatePanel>
      )}
      <div className={`card @container overflow-x-auto ${shown.length === 0 ? "hidden" : ""}`}>
        <table className="table block @2xl:table @2xl:[&_:is(th,td)]:px-2.5 @4xl:[&_:is(th,td)]:px-4">
          <thead className="hidden @2xl:table-header-group">
            <tr>
              <th scope="col">No.</th>
              <th scope="col">Title</th>
              <th scope="col">Deadline</th>
              <th scope="col" className="text-right">
                Budget
              </th>
              <th scope="col">Status</th>
              <th scope="col">Action</th>
            </tr>
          </thead>
          <tbody className="block @2xl:table-row-group">
            {/* Every row stays mounted: the one being deleted is hidden, and comes back if the server refuses. */}
            {tasks.map((task) => (
              <TaskRow
                key={task._id}
                task={task}
                number={shown.indexOf(task) + 1}
                hidden={leaving.has(task._id)}
                onBids={() => show(task._id)}
                onDelete={() => sayWhenGone(task._id)}
              />
            ))}
          </tbody>
        </table>
      </div>
      <BidsDialog
        wanted={wanted}
        task={tasks.find((task) => task._id === wanted)}
        onClose={close}
        renderBids={renderBids}
      />
    </div>
  );
}

/** 'Deleted!' is said by the page: the row of a deleted task may be gone before it could. */
function useSayWhenGone(tasks: Task[]): (id: string) => void {
  const awaited = useRef(new Set<string>());
  useEffect(() => {
    for (const id of awaited.current) {
      if (tasks.some((task) => task._id === id)) continue;
      awaited.current.delete(id);
      void showSuccess("Deleted!", "Your task has been deleted.");
    }
  }, [tasks]);
  return (id) => awaited.current.add(id);
}

/** `?bids=<task id>`: the opened bids are part of the address, so that a notification can lead to them and Back closes them. */
function useBidsInAddress() {
  const [params] = useSearchParams();
  const navigate = useNavigate();
  const here = useLocation();
  const pushed = (here.state as { bidsPushed?: unknown } | null)?.bidsPushed === true;
  const wanted = params.get("bids");
  return {
    wanted,
    show: (id: string) =>
      void navigate({ search: `?bids=${id}` }, { state: { bidsPushed: true }, preventScrollReset: true }),
    close: () => {
      if (!wanted) return;
      if (pushed) void navigate(-1);
      else void navigate({ search: "" }, { replace: true, preventScrollReset: true });
    },
  };
}
