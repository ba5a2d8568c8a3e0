import { CATEGORIES, calendarDate, isCalendarDate, type Task } from "@tasklane/server/contract";
import { useAuth } from "../../auth/auth-context.tsx";
import { TaskCard } from "./task-card.tsx";
import type { TaskFormValues } from "./task-form-values.ts";

/** The card of the task as others will see it, while it is written; `task` is the one that is being updated. */
export function CardPreview({ values, task }: { values: TaskFormValues; task: Task | undefined }) {
  const { user } = useAuth();
  const today = calendarDate(new Date());
  const preview: Task = {
    ...{
      _id: "",
      clientId: "",
      version: 0,
      bidsCount: 0,
      state: "open",
      createdAt: new Date().toISOString(),
    },
    ...{
      name: user?.displayName ?? user?.email ?? "",
      ...(user?.photoURL && { clientImage: user.photoURL }),
    },
    ...task,
    title: values.title.trim() || "What should be done?",
    category: CATEGORIES.find((category) => category === values.category) ?? CATEGORIES[0],
    description: values.description.trim() || "The first two lines of your description.",
    deadline: isCalendarDate(values.deadline) ? values.deadline : today,
    budget: Number(values.budget) || 0,
  };
  return (
    <section aria-labelledby="preview" className="mx-auto w-full max-w-sm space-y-3 xl:sticky xl:top-24">
      <h2 id="preview" className="text-lg font-semibold">
        How others will see it
      </h2>
      {/* It only repeats the fields, and its link leads nowhere yet. */}
      <div inert>
        <TaskCard task={preview} heading="h3" action="See more" />
      </div>
    </section>
  );
}
