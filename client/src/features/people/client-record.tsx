import { MAX_COUNTED, type Task } from "@tasklane/server/contract";
import type { ReactNode } from "react";
import { formatDaysAgo, formatMonth } from "../../lib/format.ts";
import { Fact } from "../../ui/fact.tsx";
import { Star } from "../../ui/stars.tsx";
import { useNow } from "../../ui/use-now.ts";

/** A client's history, to help freelancers decide whether to work for them. Empty without `task.client`. */
export function ClientRecord({ task: { client } }: { task: Pick<Task, "client"> }) {
  const now = useNow();
  if (!client) return null;
  const { hireRate, tasksPosted, tasksCompleted, rating, lastActiveOn, memberSince } = client;
  return (
    <dl className="grid fit-columns gap-4 border-t border-base-300 pt-4 sm:max-lg:grid-cols-3">
      {/* There is no hire rate before the first task has ended; 0% would be misleading. */}
      <Fact name="Hire rate">{hireRate === null ? "New client" : `${Math.round(hireRate * 100)}%`}</Fact>
      <Fact name="Tasks posted">{formatCount(tasksPosted)}</Fact>
      <Fact name="Completed">{formatCount(tasksCompleted)}</Fact>
      <Fact name="Reviews">{rating.average === null ? "None yet" : stars(rating.average, rating.count)}</Fact>
      <Fact name="Last active">
        <time dateTime={lastActiveOn} className="inline-block first-letter:uppercase">
          {formatDaysAgo(lastActiveOn, now)}
        </time>
      </Fact>
      <Fact name="Member since">
        <time dateTime={memberSince}>{formatMonth(memberSince)}</time>
      </Fact>
    </dl>
  );
}

function formatCount(count: number): string {
  return `${count.toLocaleString("en-US")}${count >= MAX_COUNTED ? "+" : ""}`;
}

function stars(average: number, count: number): ReactNode {
  return (
    <>
      <Star className="mr-1 mb-1 inline size-4" />
      {average.toFixed(1)} <span className="sr-only">of 5 stars </span>
      <span className="font-normal">({count.toLocaleString("en-US")})</span>
    </>
  );
}
