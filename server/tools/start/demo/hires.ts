import type { ReviewDoc, TaskDoc, TimelineDoc } from "../../../src/db/documents/tasks.ts";
import { daysBefore, HOUR_MS, idOf } from "./ids-and-dates.ts";
import { type DemoAccount, type DemoName, demoAccount, demoAccounts } from "./people.ts";

/** The outcome of a task. */
export type DemoHire = { key: string } & (
  | { state: "cancelled" }
  | {
      state: "awarded" | "delivered" | "completed";
      /** One of the bidders. */
      hired: DemoName;
      awardedDaysAgo: number;
      /** Deliveries and change requests, oldest first. */
      steps?: DemoStep[];
      byClient?: DemoReview;
      byFreelancer?: DemoReview;
    }
);

type DemoStep = { daysAgo: number } & ({ note: string; links: string[] } | { reason: string });

/** Written when the task was completed. */
type DemoReview = { stars: number; text: string };

/** All other tasks are open or expired. */
export const demoHires: DemoHire[] = [
  {
    key: "glaze-recipe-search",
    hired: "linh",
    state: "completed",
    awardedDaysAgo: 20,
    steps: [
      {
        daysAgo: 15,
        note: "All 312 recipes are in, with their test tiles. The rebuild is one click; the handbook says which.",
        links: ["https://glaze-library.example/preview", "https://glaze-library.example/handbook"],
      },
    ],
    byClient: {
      stars: 5,
      text: "Linh asked the right questions about our spreadsheet before writing a line of code. Members find recipes in seconds now, and the rebuild really is one click.",
    },
    byFreelancer: {
      stars: 5,
      text: "Clear brief, quick answers, and the test tile photos were all named properly. I would gladly work for the studio again.",
    },
  },
  {
    key: "load-test-checkout",
    hired: "tariq",
    state: "completed",
    awardedDaysAgo: 38,
    byClient: {
      stars: 5,
      text: "Found the connection pool that gave way first, and explained it so that the whole practice understood. The report was read by people who never read reports.",
    },
    byFreelancer: {
      stars: 4,
      text: "Well-prepared client. Access to the staging system took a week longer than planned, everything else went smoothly.",
    },
  },
  {
    key: "pictogram-safety",
    hired: "hana",
    state: "completed",
    awardedDaysAgo: 12,
    byClient: {
      stars: 4,
      text: "Readable from the distance we asked for. One round more than planned, but Hana never complained.",
    },
  },
  {
    key: "museum-audio-scripts",
    hired: "elena",
    state: "completed",
    awardedDaysAgo: 25,
    byClient: {
      stars: 5,
      text: "Visitors stay for the whole text. Elena reads a room well, even one she only saw in photos.",
    },
    byFreelancer: {
      stars: 5,
      text: "Jonas knew what he wanted and left me room for how. Paid attention to every draft.",
    },
  },
  {
    key: "linkedin-ghost-plan",
    hired: "kofi",
    state: "completed",
    awardedDaysAgo: 34,
    byFreelancer: {
      stars: 3,
      text: "Good subject, but the goals changed twice after we had agreed on them.",
    },
  },
  { key: "ceramics-packaging", hired: "claire", state: "awarded", awardedDaysAgo: 1 },
  {
    key: "review-reply-guide",
    hired: "claire",
    state: "delivered",
    awardedDaysAgo: 3,
    steps: [
      {
        daysAgo: 1,
        note: "Two pages, and forty replies sorted by mood. Replies 31 to 40 are the angry ones: please read those first.",
        links: ["https://papers.example/claire/reply-guide", "https://papers.example/claire/forty-replies"],
      },
    ],
  },
  {
    key: "newsletter-back-issues",
    hired: "claire",
    state: "awarded",
    awardedDaysAgo: 10,
    steps: [
      {
        daysAgo: 4,
        note: "The index of all eighty issues: people, places and subjects.",
        links: ["https://papers.example/claire/newsletter-index"],
      },
      { daysAgo: 2, reason: "Issues 41 to 48 are missing, and the places need cross-references." },
    ],
  },
  { key: "studio-sign", state: "cancelled" },
  { key: "referral-program-clinics", state: "cancelled" },
];

/** Tasks without a hire were cancelled yesterday. */
export function endedAtOf(hire: DemoHire, today: Date): Date {
  return daysBefore(today, hire.state === "cancelled" ? 1 : Math.max(1, hire.awardedDaysAgo - 8));
}

export type Hired = Exclude<DemoHire, { state: "cancelled" }>;

/** Deliveries and change requests as timeline entries. */
export function stepsOf({ steps = [] }: Hired, today: Date) {
  return steps.map(({ daysAgo, ...content }) => ({
    at: daysBefore(today, daysAgo),
    ...("note" in content
      ? ({ kind: "delivered", by: "freelancer", ...content } as const)
      : ({ kind: "changes-requested", by: "client", ...content } as const)),
  }));
}

/** The timeline of a task since its posting. */
export function timelineDocs(task: TaskDoc, hire: DemoHire | undefined, today: Date): TimelineDoc[] {
  if (!hire) return [];
  const { _id: taskId, ownerId: clientId, award } = task;
  const steps: Pick<TimelineDoc, "kind" | "by" | "at">[] =
    hire.state === "cancelled" || !award
      ? [{ kind: "cancelled", by: "client", at: endedAtOf(hire, today) }]
      : [{ kind: "awarded", by: "client", at: award.at }, ...stepsOf(hire, today)];
  if (hire.state === "completed") steps.push({ kind: "completed", by: "client", at: endedAtOf(hire, today) });
  const sides = { clientId, ...(award && { freelancerId: award.freelancerId }) };
  return steps.map((step, index) => ({ _id: idOf(`step:${hire.key}:${index}`), taskId, ...sides, ...step }));
}

/** The reviews that the two sides wrote about each other. */
export function reviewDocs(task: TaskDoc, hire: DemoHire | undefined, today: Date): ReviewDoc[] {
  if (!hire || hire.state === "cancelled") return [];
  const client = demoAccounts.find(({ uid }) => uid === task.ownerId) as DemoAccount;
  const freelancer = demoAccount(hire.hired);
  const completedAt = endedAtOf(hire, today);
  const sides = [
    { role: "client" as const, author: client, subject: freelancer, review: hire.byClient, hours: 0 },
    { role: "freelancer" as const, author: freelancer, subject: client, review: hire.byFreelancer, hours: 2 },
  ];
  return sides.flatMap(({ role, author, subject, review, hours }) => {
    if (!review) return [];
    return {
      _id: idOf(`review:${hire.key}:${author.uid}`),
      taskId: task._id,
      taskTitle: task.title,
      authorId: author.uid,
      authorName: author.displayName,
      anonymous: false,
      role,
      subjectId: subject.uid,
      ...review,
      createdAt: new Date(completedAt.getTime() + hours * HOUR_MS),
    };
  });
}
