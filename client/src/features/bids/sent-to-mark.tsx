import { MAX_SENT_TO } from "@tasklane/server/contract";
import { Copy } from "lucide-react";
import { plural } from "../../lib/format.ts";
import { StateMark } from "../../ui/state-mark.tsx";

/** "Sent to 14 other tasks": that a bid's message is nearly the same as earlier ones of its freelancer. */
export function SentToMark({ count }: { count: number | undefined }) {
  if (!count) return null;
  return (
    <p>
      <StateMark tone="quiet" icon={<Copy />} wraps>
        <span>
          <span className="sr-only">Nearly the same message: </span>
          {count >= MAX_SENT_TO
            ? `Sent to ${MAX_SENT_TO} or more other tasks`
            : `Sent to ${plural(count, "other task")}`}
        </span>
      </StateMark>
    </p>
  );
}
