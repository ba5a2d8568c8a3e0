import { useQuery } from "@tanstack/react-query";
import { UserPlus } from "lucide-react";
import type { FormEvent } from "react";
import { Link } from "react-router-dom";
import { useAuth } from "../../../auth/session.tsx";
import { paths } from "../../../lib/paths.ts";
import { problemText } from "../../../lib/problem.ts";
import { stateNow } from "../../../lib/state-now.ts";
import { Options } from "../../../ui/choice.tsx";
import { DialogButton } from "../../../ui/dialog-button.tsx";
import { FormAlert } from "../../../ui/form-alert.tsx";
import { FormDone } from "../../../ui/form-parts.tsx";
import { Spinner } from "../../../ui/state-panel.tsx";
import { myTasksQuery } from "../../tasks/task-queries.ts";
import { useInvitation } from "../suggested-people.tsx";

type Props = { id: string; name: string };

/** Lets somebody who is signed in invite this person to one of their open tasks. */
export function InviteButton({ id, name }: Props) {
  const { user } = useAuth();
  if (!user || user.uid === id) return null;
  const text = (
    <>
      <UserPlus />
      Invite to bid
    </>
  );
  return (
    <DialogButton title={`Invite ${name} to bid`} text={text} className="btn-primary">
      {(close) => <Invitation id={id} name={name} email={user.email ?? ""} onClose={close} />}
    </DialogButton>
  );
}

function Invitation({ id, name, email, onClose }: Props & { email: string; onClose: () => void }) {
  const { data: tasks, error } = useQuery(myTasksQuery(email));
  const invite = useInvitation(id);
  if (invite.data?.ok)
    return (
      <FormDone
        text={
          invite.data.value
            ? `${name} is invited, and has been notified.`
            : `${name} is invited to this task already, or has bid on it.`
        }
        onClose={onClose}
      />
    );
  if (!tasks)
    return error ? <p role="alert">{problemText(error)}</p> : <Spinner label="Loading your tasks" />;
  const open = tasks.filter((task) => stateNow(task) === "open" && !task.hidden);
  if (open.length === 0)
    return (
      <div className="space-y-4">
        <p>You have no open task to invite somebody to.</p>
        <Link to={paths.addTask} className="btn btn-primary">
          Add Task
        </Link>
      </div>
    );
  const send = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const task = new FormData(event.currentTarget).get("task");
    if (!invite.busy && task) void invite.send(String(task));
  };
  return (
    <form className="space-y-4" onSubmit={send}>
      <label className="block space-y-1.5 text-sm">
        <span className="font-semibold">Task</span>
        <select name="task" className="select w-full" defaultValue={open[0]?._id}>
          <Options options={open.map(({ _id, title }) => [_id, title])} />
        </select>
      </label>
      <FormAlert error={invite.error} />
      <button type="submit" className="btn btn-primary" aria-disabled={invite.busy || undefined}>
        {invite.busy ? "Inviting…" : "Invite"}
      </button>
    </form>
  );
}
