import type { Milestone, Task } from "@tasklane/server/contract";
import { CircleCheck } from "lucide-react";
import { formatUsd } from "../../lib/format.ts";
import { Day } from "../../ui/now.tsx";

/** The milestone in work with its number, from 1; undefined without milestones, or once all are accepted. */
export function currentMilestone({ agreed }: Pick<Task, "agreed">) {
  const { milestones = [], accepted = 0 } = agreed ?? {};
  const milestone = milestones[accepted];
  return milestone && { ...milestone, number: accepted + 1, isLast: accepted + 1 === milestones.length };
}

/** Whether the other side has proposed a change that the viewer has yet to answer. */
export function isChangeProposed({ agreed, viewer }: Pick<Task, "agreed" | "viewer">): boolean {
  return (
    agreed?.change !== undefined && agreed.change !== (viewer?.role === "client" ? "client" : "freelancer")
  );
}

/** Whether the freelancer has proposed to their client to end it early, or an operator decides how it ends. */
export function isEndProposed({ agreed }: Pick<Task, "agreed">): boolean {
  return agreed?.ending !== undefined && agreed.ending !== "client";
}

/** Milestones in order, with a tick for each that was accepted. */
export function MilestoneList({
  milestones,
  accepted,
}: {
  milestones: readonly Milestone[];
  accepted: number;
}) {
  return (
    <ol aria-label="Milestones" className="grid gap-2 text-sm">
      {milestones.map(({ name, amount, due }, at) => (
        <li key={at} aria-current={at === accepted ? "step" : undefined} className="flex items-start gap-2">
          {at < accepted ? (
            <CircleCheck role="img" aria-label="Accepted" className="size-5 shrink-0 text-success" />
          ) : (
            <span className="quiet size-5 shrink-0 text-center tabular-nums">{at + 1}</span>
          )}
          <span className="min-w-0 grow wrap-anywhere">
            <bdi className={at === accepted ? "font-semibold" : ""}>{name}</bdi>
            <span className="quiet block">
              {formatUsd(amount)} by <Day date={due} />
            </span>
          </span>
        </li>
      ))}
    </ol>
  );
}
