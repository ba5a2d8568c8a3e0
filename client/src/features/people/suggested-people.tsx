import { useQuery } from "@tanstack/react-query";
import type { DirectoryEntry, Task } from "@tasklane/server/contract";
import { useAuth } from "../../auth/session.tsx";
import { useApi } from "../../lib/api-context.tsx";
import { plural } from "../../lib/format.ts";
import { useAction } from "../../lib/submission.ts";
import { Avatar } from "../../ui/avatar.tsx";
import { BusyButton } from "../../ui/busy-button.tsx";
import { FormAlert } from "../../ui/form-alert.tsx";
import { PersonLink } from "../../ui/person-link.tsx";
import { skilledPeopleQuery } from "./people-queries.ts";

/** Invites this person to bid on a task, by its id. The value is false if they were invited or have bid before. */
export function useInvitation(personId: string) {
  const api = useApi();
  return useAction(async (id: string) => {
    const options = { params: { id }, body: { personId }, isRepeatable: true };
    return (await api.call("POST /tasks/:id/invitations", options)).data.modifiedCount > 0;
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
  const reasons = [`Names ${skill}`, jobsCompleted > 0 && `${plural(jobsCompleted, "job")} done`];
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
