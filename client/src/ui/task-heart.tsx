import type { Task } from "@tasklane/server/contract";
import { type ComponentType, createContext, use } from "react";

export type HeartProps = { task: Pick<Task, "_id" | "title" | "clientId"> };

/** Provides the save button to task lists, which must not import it; set by the app once it is loaded. */
export const HeartContext = createContext<ComponentType<HeartProps> | null>(null);

export const HEART_SIZE = "size-8 shrink-0";

/** A task's save button, or an empty slot of the same size until it is loaded. */
export function HeartSlot({ task }: HeartProps) {
  const Heart = use(HeartContext);
  return Heart ? <Heart task={task} /> : <span className={HEART_SIZE} aria-hidden="true" />;
}
