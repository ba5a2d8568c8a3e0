import type { Category } from "../../src/contract/index.ts";

/** The people of the demo data; a union, so a task cannot name somebody who does not exist. */
type DemoUid =
  | "demo-amara"
  | "demo-jonas"
  | "demo-priya"
  | "demo-mateo"
  | "demo-hana"
  | "demo-tariq"
  | "demo-elena"
  | "demo-kofi"
  | "demo-linh"
  | "demo-claire"
  | "demo-oda";

export type DemoAccount = {
  uid: DemoUid;
  email: string;
  password: string;
  displayName: string;
  photoURL?: string;
  /** Named an operator by the custom claim `admin`: sees reports, hides tasks. */
  operator?: true;
};

/** Days instead of dates, so the demo data is as fresh on the day it is seeded as on the day it was written. */
export type DemoTask = {
  key: string;
  ownerUid: DemoUid;
  title: string;
  category: Category;
  description: string;
  /** Negative: the deadline has passed. */
  deadlineInDays: number;
  budget: number;
  postedDaysAgo: number;
  bidderUids: DemoUid[];
};

/** What became of a task. Days instead of dates, as in the tasks. */
export type DemoHire = { key: string } & (
  | { state: "cancelled" }
  | {
      state: "awarded" | "completed";
      /** One of the task's bidders. */
      hired: DemoUid;
      awardedDaysAgo: number;
      byClient?: DemoReview;
      byFreelancer?: DemoReview;
    }
);

/** Written when the task was completed. */
export type DemoReview = { stars: number; text: string };
