import type { DemoName } from "./people.ts";

/** How a task went on. */
export type DemoHire = { key: string } & (
  | { state: "cancelled" }
  | {
      state: "awarded" | "completed";
      /** One of the bidders. */
      hired: DemoName;
      awardedDaysAgo: number;
      byClient?: DemoReview;
      byFreelancer?: DemoReview;
    }
);

/** Written when the task was completed. */
type DemoReview = { stars: number; text: string };

/** All other tasks are open, or expired. */
export const demoHires: DemoHire[] = [
  {
    key: "glaze-recipe-search",
    hired: "linh",
    state: "completed",
    awardedDaysAgo: 20,
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
  { key: "review-reply-guide", hired: "claire", state: "awarded", awardedDaysAgo: 3 },
  { key: "newsletter-back-issues", hired: "claire", state: "awarded", awardedDaysAgo: 10 },
  { key: "studio-sign", state: "cancelled" },
  { key: "referral-program-clinics", state: "cancelled" },
];
