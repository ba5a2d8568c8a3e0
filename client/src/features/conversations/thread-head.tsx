import type { Conversation } from "@tasklane/server/contract";
import { ArrowLeft, Ban } from "lucide-react";
import type { ReactNode } from "react";
import { Link } from "react-router-dom";
import { formErrorOf, isBusy } from "../../lib/forms.ts";
import { paths } from "../../lib/paths.ts";
import { Avatar } from "../../ui/avatar.tsx";
import { confirm } from "../../ui/confirm.ts";
import { FormAlert } from "../../ui/form-alert.tsx";
import { PersonLink } from "../../ui/person-link.tsx";
import { useBlocking } from "./conversation-writes.ts";

type Props = {
  conversation: Conversation;
  isPage: boolean;
  /** The report button. */
  children: ReactNode;
};

/** Where the text has its own direction, its own box is cut off: at its end, be it right or left. */
const FITTING = "block min-h-6 w-fit max-w-full truncate";

/** The head of a conversation: the other person, the task, and the buttons to block or report. */
export function ThreadHead({ conversation, isPage, children }: Props) {
  const { _id, other, task, closed } = conversation;
  const blocking = useBlocking(_id);
  const block = async () => {
    if (!isBusy(blocking) && (await confirm(blockConfirmation(other.name)))) await blocking.send(true);
  };
  return (
    <div className="space-y-2 border-b border-base-300 pb-3">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        {isPage && (
          <Link
            to={paths.messages}
            aria-label="All messages"
            className="btn btn-square btn-ghost btn-sm @2xl:hidden"
          >
            <ArrowLeft aria-hidden="true" className="size-5" />
          </Link>
        )}
        <Avatar name={other.name} src={other.image} size="sm" />
        <div className="min-w-0 grow basis-24">
          <h2 className="font-semibold">
            <PersonLink id={other.id} name={other.name} className={FITTING} />
          </h2>
          <p className="text-sm">
            {task.state ? (
              <Link to={paths.dashTask(task._id)} dir="auto" className={`quiet link link-hover ${FITTING}`}>
                {task.title}
              </Link>
            ) : (
              <span dir="auto" className={`quiet ${FITTING}`}>
                {task.title}
              </span>
            )}
          </p>
        </div>
        <div className="flex flex-wrap">
          {other.id && closed !== "you-blocked" && (
            <button
              type="button"
              className="quiet btn btn-ghost btn-sm"
              aria-label={`Block ${other.name}`}
              aria-disabled={isBusy(blocking) || undefined}
              onClick={() => void block()}
            >
              <Ban aria-hidden="true" className="size-4" />
              <span className="max-sm:hidden">Block</span>
            </button>
          )}
          {children}
        </div>
      </div>
      <FormAlert error={formErrorOf(blocking)} />
    </div>
  );
}

function blockConfirmation(name: string) {
  return {
    title: `Block ${name}?`,
    text: "Neither of you will be able to write to the other, in any of your conversations. You can unblock them later.",
    yes: "Block",
  };
}
