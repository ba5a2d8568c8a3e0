import { formatWhen } from "../lib/format.ts";
import { useNow } from "./use-now.ts";

/** How long ago an ISO instant was, kept up to date. */
export function When({ at, className }: { at: string; className?: string }) {
  const now = useNow();
  return (
    <time dateTime={at} className={className}>
      {formatWhen(at, now)}
    </time>
  );
}
