import { addDays, calendarDate } from "../../../src/contract/index.ts";
import type { BidDoc } from "../../../src/db/documents/bids.ts";
import type { TaskDoc } from "../../../src/db/documents/tasks.ts";
import { titleGrams } from "../../../src/db/task-search.ts";
import { deliveredAt } from "../../../src/features/delivery/delivery-policy.ts";
import { designTasks } from "./design.ts";
import { type DemoHire, endedAtOf, type Hired, stepsOf } from "./hires.ts";
import { daysBefore, HOUR_MS, idOf } from "./ids-and-dates.ts";
import { marketingTasks } from "./marketing.ts";
import { type DemoTask, demoAccount } from "./people.ts";
import { demoScreening } from "./screening.ts";
import { webDevelopmentTasks } from "./web-development.ts";
import { writingTasks } from "./writing.ts";

export const demoTasks = [...webDevelopmentTasks, ...designTasks, ...writingTasks, ...marketingTasks];

/** The stored task, including its outcome. */
export function taskDoc(demo: DemoTask, hire: DemoHire | undefined, bids: BidDoc[], today: Date): TaskDoc {
  const { key, title, category, description, budget, due } = demo;
  const { uid, email, displayName } = demoAccount(demo.by);
  const createdAt = postedAt(demo, today);
  const screening = demoScreening.find((each) => each.key === key);
  const hired = hire?.state === "cancelled" ? undefined : hire;
  const winner = hired && bids.find(({ bidderId }) => bidderId === demoAccount(hired.hired).uid);
  return {
    _id: idOf(`task:${key}`),
    title,
    category,
    description,
    deadline: addDays(calendarDate(today), due),
    budget,
    ...(screening && { screeningQuestion: screening.question }),
    ownerId: uid,
    email,
    name: displayName,
    bidsCount: bids.length,
    createdAt,
    updatedAt: createdAt,
    revision: 0,
    bidsRevision: bids.length,
    questionsClosed: false,
    questionsRevision: 0,
    showEmail: true,
    hidden: false,
    titleGrams: titleGrams(title),
    state: hire?.state ?? "open",
    ...(hire &&
      hire.state !== "awarded" &&
      hire.state !== "delivered" && { endedAt: endedAtOf(hire, today) }),
    ...(winner && { award: awardOf(winner, hired, today) }),
    ...(hire?.state === "delivered" && { delivery: deliveredAt(stepsOf(hire, today).at(-1)?.at ?? today) }),
    awardCount: winner ? 1 : 0,
  };
}

function awardOf(bid: BidDoc, hire: Hired, today: Date): NonNullable<TaskDoc["award"]> {
  const { _id: bidId, bidderId: freelancerId, bidderName: name, bidderEmail: email, amount, days } = bid;
  const hiredAt = daysBefore(today, hire.awardedDaysAgo).getTime();
  const at = new Date(Math.max(hiredAt, bid.createdAt.getTime() + HOUR_MS));
  const isSentBack = hire.state === "awarded" && stepsOf(hire, today).at(-1)?.kind === "changes-requested";
  return {
    ...{ bidId, freelancerId, name, email, amount, at },
    ...(days && { due: addDays(calendarDate(at), days) }),
    ...(isSentBack && { sentBack: true }),
  };
}

/** When the task was posted. Tasks of the same day are minutes apart, so that their order is defined. */
export function postedAt({ key, posted }: DemoTask, today: Date): Date {
  const minutes = Number.parseInt(idOf(key).toHexString().slice(0, 4), 16) % 600;
  return new Date(daysBefore(today, posted).getTime() - minutes * 60_000);
}
