import type { Conversation } from "@tasklane/server/contract";
import { ArrowLeft, Ban, Flag, Search } from "lucide-react";
import { useState } from "react";
import { Link } from "react-router-dom";
import { paths } from "../../lib/paths.ts";
import { useAction } from "../../lib/submission.ts";
import { confirm } from "../../ui/confirm.ts";
import { FormAlert } from "../../ui/form-alert.tsx";
import { Menu, MenuItem } from "../../ui/menu.tsx";
import { Avatar, PersonLink } from "../../ui/person.tsx";
import { ReportDialog } from "../reports/report-button.tsx";
import { setBlocked } from "./conversation-queries.ts";

type HeadProps = { conversation: Conversation; isPage: boolean; onSearch: () => void };

/** Where the text has its own direction, its own box is cut off: at its end, be it right or left. */
const FITTING = "block min-h-6 w-fit max-w-full truncate";

/** The head of a conversation: the other person, the task, and a menu to search, block or report. */
export function ThreadHead({ conversation, isPage, onSearch }: HeadProps) {
  const { _id, other, task, closed } = conversation;
  const blocking = useAction((call) => setBlocked(call, _id, true));
  const [isReporting, setIsReporting] = useState(false);
  const block = async () => {
    if (!blocking.busy && (await confirm(blockConfirmation(other.name)))) await blocking.send();
  };
  return (
    <div className="-mx-2 space-y-2 border-b border-base-300 px-2 pb-3">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        {isPage && (
          <Link
            to={paths.messages}
            aria-label="All messages"
            className="btn btn-square btn-ghost btn-sm @2xl:hidden"
          >
            <ArrowLeft className="size-5" />
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
        <Menu label={`More for ${other.name}`}>
          <MenuItem icon={<Search />} onSelect={onSearch}>
            Search messages
          </MenuItem>
          {other.id && closed !== "you-blocked" && (
            <MenuItem icon={<Ban />} busy={blocking.busy} onSelect={() => void block()}>
              Block
            </MenuItem>
          )}
          {other.id && (
            <MenuItem icon={<Flag />} onSelect={() => setIsReporting(true)}>
              Report
            </MenuItem>
          )}
        </Menu>
      </div>
      <ReportDialog
        taskId={task._id}
        conversationId={_id}
        title={`Report ${other.name}’s messages`}
        open={isReporting}
        onClose={() => setIsReporting(false)}
      />
      <FormAlert error={blocking.error} />
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
