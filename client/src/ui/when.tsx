import { formatWhen } from "../lib/format.ts";
import { useMinute } from "./use-minute.ts";

/** How long ago an ISO instant was, kept up to date. */
export function When({ at, className }: { at: string; className?: string }) {
  useMinute();
  return (
    <time dateTime={at} className={className}>
      {formatWhen(at)}
    </time>
  );
}
