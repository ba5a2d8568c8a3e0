import { type ClientRecord as Client, MAX_COUNTED, type Task } from "@tasklane/server/contract";
import type { ReactNode } from "react";
import { formatDaysAgo, formatMonth } from "../../lib/format.ts";
import { Fact } from "../../ui/fact.tsx";
import { Star } from "../../ui/stars.tsx";
import { useNow } from "../../ui/use-now.ts";

type Props = { task: Pick<Task, "client"> };

/** A client's history, to help freelancers decide whether to work for them. Empty without `task.client`. */
export function ClientRecord({ task: { client } }: Props) {
  if (!client) return null;
  return (
    <dl className="grid fit-columns gap-4 border-t border-base-300 pt-4 sm:max-lg:grid-cols-3">
      {factsOf(client).map(({ name, value }) => (
        <Fact key={name} name={name}>
          {value}
        </Fact>
      ))}
    </dl>
  );
}

function factsOf({
  hireRate,
  tasksPosted,
  tasksCompleted,
  rating,
  lastActiveOn,
  memberSince,
}: Client): { name: string; value: ReactNode }[] {
  return [
    // There is no hire rate before the first task has ended; 0% would be misleading.
    { name: "Hire rate", value: hireRate === null ? "New client" : `${Math.round(hireRate * 100)}%` },
    { name: "Tasks posted", value: formatCount(tasksPosted) },
    { name: "Completed", value: formatCount(tasksCompleted) },
    { name: "Reviews", value: rating.average === null ? "None yet" : stars(rating.average, rating.count) },
    {
      name: "Last active",
      value: <LastActive on={lastActiveOn} />,
    },
    { name: "Member since", value: <time dateTime={memberSince}>{formatMonth(memberSince)}</time> },
  ];
}

function LastActive({ on }: { on: string }) {
  const now = useNow();
  return (
    <time dateTime={on} className="inline-block first-letter:uppercase">
      {formatDaysAgo(on, now)}
    </time>
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
