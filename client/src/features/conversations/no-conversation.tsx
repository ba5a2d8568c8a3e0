import { MessagesSquare } from "lucide-react";
import { PageMeta } from "../../ui/page-head.tsx";

/** Beside the list while no conversation is open; a phone shows the list alone. */
export function Component() {
  return (
    <div className="card grid h-full place-items-center p-6 text-center @max-2xl:hidden">
      <PageMeta title="Messages" />
      <p className="quiet flex flex-col items-center gap-3">
        <MessagesSquare aria-hidden="true" className="size-8 text-primary" />
        Choose a conversation to read it.
      </p>
    </div>
  );
}
