import { History } from "lucide-react";

/** Says that the form holds what was left unsent. */
export function DraftNotice({ onDiscard }: { onDiscard: () => void }) {
  return (
    <div role="status" className="alert bg-accent/15 text-sm max-sm:text-start">
      <History aria-hidden="true" className="size-5 shrink-0" />
      <span>This is the draft you left unsent.</span>
      <button type="button" className="btn btn-ghost btn-sm" onClick={onDiscard}>
        Discard draft
      </button>
    </div>
  );
}
