import { useQuery } from "@tanstack/react-query";
import type { Recommendation } from "@tasklane/server/contract";
import { Link } from "react-router-dom";
import { formatTimeLeft, formatUsd } from "../../../lib/format.ts";
import { paths } from "../../../lib/paths.ts";
import { endpointQuery } from "../../../lib/queries.tsx";
import { useNow } from "../../../ui/now.tsx";
import { Section } from "../../../ui/section.tsx";

const recommendationsQuery = endpointQuery(["tasks", "recommended"], "GET /me/recommendations", {});

/** Open tasks that fit the person, each with the reason; nothing without any. */
export function Recommended() {
  const { data = [] } = useQuery(recommendationsQuery);
  const now = useNow();
  if (data.length === 0) return null;
  return (
    <Section id="recommended" look="list" title="Tasks that may suit you">
      <ul className="divide-y divide-base-300">
        {data.map((recommendation) => {
          const { task } = recommendation;
          return (
            <li key={task._id}>
              <div className="relative flex flex-wrap items-baseline gap-x-4 gap-y-0.5 rounded-field p-3 hover:bg-base-200">
                <Link
                  to={paths.dashTask(task._id)}
                  dir="auto"
                  className="link-hover link min-w-0 grow basis-52 font-semibold wrap-anywhere after:absolute after:inset-0"
                >
                  {task.title}
                </Link>
                <span className="font-semibold wrap-anywhere tabular-nums">{formatUsd(task.budget)}</span>
                <span className="quiet w-full text-sm wrap-anywhere">
                  {[reasonOf(recommendation), formatTimeLeft(task.deadline, now)].filter(Boolean).join(" · ")}
                </span>
              </div>
            </li>
          );
        })}
      </ul>
    </Section>
  );
}

function reasonOf({ task, skill, sameCategory, similarPrice }: Recommendation): string {
  const reasons = [
    skill !== undefined && `it asks for ${skill}`,
    sameCategory && `you have bid in ${task.category}`,
    similarPrice && "the price is like those of your bids",
  ].filter((reason) => reason !== false);
  const text = new Intl.ListFormat("en-US").format(reasons);
  return text.charAt(0).toUpperCase() + text.slice(1);
}
