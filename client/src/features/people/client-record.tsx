import { MAX_COUNTED, type Task } from "@tasklane/server/contract";
import { Star } from "lucide-react";
import { formatMonth } from "../../lib/format.ts";
import { Fact } from "../../ui/fact.tsx";

/** What a client has done so far, for whoever decides whether to work for them; nothing where there is no record. */
export function ClientRecord({ task: { client } }: { task: Pick<Task, "client"> }) {
  if (!client) return null;
  const { hireRate, tasksPosted, rating, memberSince } = client;
  return (
    <dl className="grid grid-cols-2 gap-4 sm:max-lg:grid-cols-4 border-t border-base-300 pt-4">
      {/* Before the first task that came to an end, a rate would say nothing, and 0% something wrong. */}
      <Fact name="Hire rate">{hireRate === null ? "New client" : `${Math.round(hireRate * 100)}%`}</Fact>
      <Fact name="Tasks posted">
        {tasksPosted.toLocaleString("en-US")}
        {tasksPosted >= MAX_COUNTED && "+"}
      </Fact>
      <Fact name="Reviews">
        {rating.average === null ? (
          "None yet"
        ) : (
          <>
            <Star aria-hidden="true" className="mr-1 mb-1 inline size-4 fill-accent text-accent" />
            {rating.average.toFixed(1)} <span className="sr-only">of 5 stars </span>
            <span className="font-normal">({rating.count.toLocaleString("en-US")})</span>
          </>
        )}
      </Fact>
      <Fact name="Member since">
        <time dateTime={memberSince}>{formatMonth(memberSince)}</time>
      </Fact>
    </dl>
  );
}
