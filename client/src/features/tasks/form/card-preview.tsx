import { addDays, CATEGORIES, calendarDate, isCalendarDate, type Task } from "@tasklane/server/contract";
import { Heart } from "lucide-react";
import { useAuth } from "../../../auth/auth-context.tsx";
import { HEART_SIZE, HeartContext } from "../../../ui/task-heart.tsx";
import { TaskCard } from "../task-card.tsx";
import type { TaskFormValues } from "./task-form-values.ts";

/** Others have a heart there to save the task with; one's own card has none. */
function StillHeart() {
  return (
    <span className={`grid place-items-center text-base-content/70 ${HEART_SIZE}`}>
      <Heart aria-hidden="true" className="size-5" />
    </span>
  );
}

const EXAMPLE_DAYS = 14;

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
    deadline: isCalendarDate(values.deadline) ? values.deadline : addDays(today, EXAMPLE_DAYS),
    budget: Number(values.budget) || 0,
  };
  return (
    <section aria-labelledby="preview" className="mx-auto w-full max-w-sm space-y-3 xl:sticky xl:top-24">
      <h2 id="preview" className="text-lg font-semibold">
        How others will see it
      </h2>
      {/* It only repeats the fields, and its link leads nowhere yet. */}
      <div inert>
        <HeartContext value={StillHeart}>
          <TaskCard task={preview} heading="h3" action="See more" />
        </HeartContext>
      </div>
    </section>
  );
}
