import { useQuery } from "@tanstack/react-query";
import type { DirectoryEntry, Task } from "@tasklane/server/contract";
import { UserPlus } from "lucide-react";
import type { FormEvent } from "react";
import { Link } from "react-router-dom";
import { useAuth } from "../../auth/session.tsx";
import { plural } from "../../lib/format.ts";
import { paths } from "../../lib/paths.ts";
import { useAction } from "../../lib/submission.ts";
import { BusyButton } from "../../ui/busy-button.tsx";
import { Options } from "../../ui/choice.tsx";
import { DialogButton } from "../../ui/dialog.tsx";
import { FormAlert } from "../../ui/form-alert.tsx";
import { FormDone } from "../../ui/form-parts.tsx";
import { LoadFailure } from "../../ui/load-failure.tsx";
import { stateNow } from "../../ui/now.tsx";
import { Avatar, PersonLink } from "../../ui/person.tsx";
import { Spinner } from "../../ui/state-panel.tsx";
import { myTasksQuery } from "../tasks/task-queries.ts";
import { skilledPeopleQuery } from "./people-queries.ts";

/** Invites this person to bid on a task, by its id. The value is false if they were invited or have bid before. */
function useInvitation(personId: string) {
  return useAction(async (call, id: string) => {
    const options = { params: { id }, body: { personId }, isRepeatable: true };
    return (await call("POST /tasks/:id/invitations", options)).data.modifiedCount > 0;
  });
}

/** Skills of a task for which people are searched, and people who are shown. */
const MAX_SKILLS = 3;
const MAX_SHOWN = 3;

/** People who name one of the task's skills, for its client to invite, each with the reason; nothing without any. */
export function SuggestedPeople({ task, bidders }: { task: Task; bidders: readonly (string | undefined)[] }) {
  const { uid } = useAuth().user ?? {};
  const { data = [] } = useQuery(skilledPeopleQuery(task.skills?.slice(0, MAX_SKILLS) ?? []));
  const shown = data.filter(({ person: { id } }) => id !== uid && !bidders.includes(id)).slice(0, MAX_SHOWN);
  if (shown.length === 0) return null;
  return (
    <section aria-labelledby="suggested" className="card card-body gap-3">
      <h2 id="suggested" className="text-lg font-semibold">
        People who may suit
      </h2>
      <ul className="divide-y divide-base-300">
        {shown.map(({ person, skill }) => (
          <SuggestedPerson key={person.id} task={task} person={person} skill={skill} />
        ))}
      </ul>
    </section>
  );
}

type Props = { task: Task; person: DirectoryEntry; skill: string };

function SuggestedPerson({ task, person: { id, name, image, jobsCompleted }, skill }: Props) {
  const invite = useInvitation(id);
  const reasons = [`Lists ${skill}`, jobsCompleted > 0 && `${plural(jobsCompleted, "job")} done`];
  return (
    <li className="space-y-2 py-3">
      <div className="flex flex-wrap items-center gap-3">
        <Avatar name={name} src={image} size="sm" />
        <div className="min-w-0 grow basis-32">
          <PersonLink id={id} name={name} className="font-semibold wrap-anywhere" />
          <p className="quiet text-sm wrap-anywhere">{reasons.filter(Boolean).join(" · ")}</p>
        </div>
        {invite.data?.ok ? (
          <p role="status" className="text-sm font-semibold text-success">
            Invited
          </p>
        ) : (
          <BusyButton
            className="btn btn-outline btn-sm"
            aria-label={`Invite ${name} to bid`}
            busy={invite.busy}
            busyText="Inviting…"
            onClick={() => invite.send(task._id)}
          >
            Invite
          </BusyButton>
        )}
      </div>
      <FormAlert error={invite.error} />
    </li>
  );
}

type InviteProps = { id: string; name: string };

/** Lets somebody who is signed in invite this person to one of their open tasks. */
export function InviteButton({ id, name }: InviteProps) {
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
      <Invitation id={id} name={name} email={user.email ?? ""} />
    </DialogButton>
  );
}

function Invitation({ id, name, email }: InviteProps & { email: string }) {
  const list = useQuery({ ...myTasksQuery(email), retryOnMount: true });
  const { data: tasks, isFetching } = list;
  const invite = useInvitation(id);
  if (invite.data?.ok)
    return (
      <FormDone
        text={
          invite.data.value
            ? `${name} is invited, and has been notified.`
            : `${name} is invited to this task already, or has bid on it.`
        }
      />
    );
  if (!tasks) return isFetching ? <Spinner label="Loading your tasks" /> : <LoadFailure list={list} />;
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
