import {
  addDays,
  CATEGORIES,
  isCalendarDate,
  publicName,
  type Task,
  type TaskDraft,
  taskDraftSchema,
} from "@tasklane/server/contract";
import { Heart } from "lucide-react";
import { useAuth } from "../../../auth/session.tsx";
import { serverTime } from "../../../lib/clock.ts";
import { today } from "../../../lib/format.ts";
import { toData, toNumber } from "../../../lib/forms.ts";
import { HEART_SIZE, HeartContext } from "../../../ui/task-heart.tsx";
import { TaskCard } from "../task-card.tsx";
import type { TaskFormValues } from "./task-form-values.ts";

/** Stands in for the save button, which others will see on the card but its owner will not. */
function StaticHeart() {
  return (
    <span className={`grid place-items-center text-base-content/70 ${HEART_SIZE}`}>
      <Heart className="size-5" />
    </span>
  );
}

const DEFAULT_DEADLINE_DAYS = 14;

/** Shown as long as a field is empty. */
const PLACEHOLDERS = {
  title: "What should be done?",
  category: CATEGORIES[0],
  description: "The first two lines of your description.",
};

/** A live preview of the task's card as others will see it; `task` is the one being updated, if any. */
export function CardPreview({ values, task }: { values: TaskFormValues; task: Task | undefined }) {
  const { user } = useAuth();
  const preview: Task = {
    _id: "",
    clientId: "",
    version: 0,
    bidsCount: 0,
    state: "open",
    createdAt: serverTime().toISOString(),
    name: publicName(user?.displayName),
    ...(user?.photoURL && { clientImage: user.photoURL }),
    ...task,
    ...PLACEHOLDERS,
    ...(toData(taskDraftSchema, values) as TaskDraft),
    // Half typed, it may not be a number yet.
    budget: toNumber(values.budget) || 0,
    deadline: isCalendarDate(values.deadline) ? values.deadline : addDays(today(), DEFAULT_DEADLINE_DAYS),
  };
  return (
    <section aria-labelledby="preview" className="mx-auto w-full max-w-sm space-y-3 xl:sticky xl:top-24">
      <h2 id="preview" className="text-lg font-semibold">
        How others will see it
      </h2>
      {/* Inert: it only repeats the fields, and its link has no target yet. */}
      <div inert>
        <HeartContext value={StaticHeart}>
          <TaskCard task={preview} heading="h3" action="See more" />
        </HeartContext>
      </div>
    </section>
  );
}
