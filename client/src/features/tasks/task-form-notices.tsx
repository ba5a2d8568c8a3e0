import { History } from "lucide-react";
import type { RefObject } from "react";
import { Link } from "react-router-dom";
import { renewOnceKey } from "../../lib/drafts.ts";
import { paths } from "../../lib/paths.ts";

/** The answer to the first try was lost, and the form was changed before the second. */
export function PostedAlready({
  draftKey,
  form,
}: {
  draftKey: string;
  form: RefObject<HTMLFormElement | null>;
}) {
  const postAnother = () => {
    renewOnceKey(draftKey);
    form.current?.requestSubmit();
  };
  return (
    <>
      This task was posted already, as you first sent it: only the answer got lost. What you changed since is
      not in it. You can make the change in{" "}
      <Link to={paths.myTasks} className="link">
        My Posted Tasks
      </Link>
      , or{" "}
      <button type="button" className="link" onClick={postAnother}>
        post this as another task
      </button>
      .
    </>
  );
}

/** Says that the form holds what was left unsent. */
export function DraftNotice({ onDiscard }: { onDiscard: () => void }) {
  return (
    <div
      role="status"
      className="flex flex-wrap items-center gap-3 rounded-field bg-accent/15 px-4 py-2 text-sm"
    >
      <History aria-hidden="true" className="size-5 shrink-0" />
      <span className="grow">This is the draft you left unsent.</span>
      <button type="button" className="btn btn-ghost btn-sm" onClick={onDiscard}>
        Discard draft
      </button>
    </div>
  );
}
