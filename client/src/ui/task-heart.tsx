import type { Task } from "@tasklane/server/contract";
import { type ComponentType, createContext, use } from "react";

export type HeartProps = { task: Pick<Task, "_id" | "title" | "clientId"> };

/** The button that saves a task. The app puts it here once it is loaded: lists of tasks know nothing of it. */
export const HeartContext = createContext<ComponentType<HeartProps> | null>(null);

export const HEART_SIZE = "size-8 shrink-0";

/** Where a task's heart is, or will be: nothing moves when it comes. */
export function HeartSlot({ task }: HeartProps) {
  const Heart = use(HeartContext);
  return Heart ? <Heart task={task} /> : <span className={HEART_SIZE} aria-hidden="true" />;
}
