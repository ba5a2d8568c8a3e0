import type { ObjectId } from "mongodb";
import type { Category } from "../../../src/contract/index.ts";
import type { BidDoc } from "../../../src/db/documents/bids.ts";
import { messagePrint, withPrint } from "../../../src/features/bids/similar-messages.ts";
import type { DemoHire } from "./hires.ts";
import { daysBefore, idOf } from "./ids-and-dates.ts";
import { type DemoName, type DemoTask, demoAccount } from "./people.ts";
import { demoScreening } from "./screening.ts";
import { postedAt } from "./tasks.ts";

/** The bids on a task, oldest first. */
export function bidDocs(demo: DemoTask, hire: DemoHire | undefined, today: Date): BidDoc[] {
  const posted = postedAt(demo, today).getTime();
  const awardedDaysAgo = hire && hire.state !== "cancelled" ? hire.awardedDaysAgo : 0;
  // Spread from the posting until now, or until the deadline or award if that has passed.
  const closed = daysBefore(today, Math.max(0, -demo.due, awardedDaysAgo)).getTime();
  const screening = demoScreening.find(({ key }) => key === demo.key);
  return demo.bids.map((name, index) => {
    const answer = screening?.answers[name];
    const { uid, displayName, email } = demoAccount(name);
    const _id = idOf(`bid:${demo.key}:${uid}`);
    const share = (index + 1) / (demo.bids.length + 1);
    const createdAt = new Date(posted + Math.max(0, (closed - posted) * share));
    return {
      _id,
      taskId: idOf(`task:${demo.key}`),
      bidderId: uid,
      bidderName: displayName,
      bidderEmail: email,
      ...offerOf(demo, _id),
      ...(screening && answer && { question: screening.question, answer }),
      state: "placed",
      createdAt,
      updatedAt: createdAt,
    };
  });
}

/** Every fourth bid is a one-click bid: the task's budget, without a message. */
function offerOf({ budget, category }: DemoTask, id: ObjectId): Pick<BidDoc, "amount" | "days" | "message"> {
  const [roll = 0, share = 0, days = 0, message = 0] = id.id.subarray(0, 4);
  if (roll % 4 === 0) return { amount: budget };
  const amount = budget * pick(SHARES, share);
  return {
    amount: amount > 200 ? Math.round(amount / 10) * 10 : Math.round(amount),
    days: pick(DAYS, days),
    ...(roll % 4 !== 1 && { message: pick(MESSAGES[category], message) }),
  };
}

/** Sends nearly the same message to many clients. */
const COPIES_MESSAGES: DemoName = "kofi";

/** Marks repeated messages of one freelancer, as placing the bids would have. */
export function markSentMessages(bids: BidDoc[]): void {
  const inOrder = bids
    .filter(({ bidderId }) => bidderId === demoAccount(COPIES_MESSAGES).uid)
    .sort((a, b) => a.createdAt.getTime() - b.createdAt.getTime());
  for (const [index, bid] of inOrder.entries()) {
    Object.assign(bid, withPrint(bid, messagePrint(bid.message), inOrder.slice(0, index)));
  }
}

const pick = <T>(from: readonly T[], number: number) => from[number % from.length] as T;

const MESSAGES: Record<Category, string[]> = {
  "Web Development": [
    "I built two systems like this last year and can show you both. I would start with a small working version in the first week, so that you see early whether we mean the same.",
    "Your brief is clear. Two questions before I start: who hosts it today, and may I have read access to the current database?",
    "Price includes tests and a short handbook for whoever maintains it after me.",
    "I can begin on Monday. Fixed price, two rounds of changes included, bugs are on me for three months.",
  ],
  Design: [
    "I would send three directions as rough sketches first, then work out the one you choose. Source files are yours.",
    "I like this one. My last project of the kind is in my portfolio, the second from the top.",
    "Print is half of my work, so the printer will not call you with questions.",
    "Two rounds of changes are included; I have never needed a third.",
  ],
  Writing: [
    "I write the way people talk, and cut what nobody would miss. I can send a sample paragraph of your text before you decide.",
    "I would like to talk to one of your customers first: fifteen minutes on the phone are enough.",
    "English is my second language and editing my first profession. Every text is read by a colleague before you get it.",
  ],
  Marketing: [
    "Before spending anything I would look at what your last campaign did. The first week is measuring, the rest is doing.",
    "I work in small tests and tell you weekly what each of them cost and brought.",
    "I have done this for two businesses of your size. Happy to share the figures on a call.",
  ],
};

/** Bid amounts as shares of the budget, and delivery times. */
const SHARES = [0.8, 0.85, 0.9, 0.95, 1, 1, 1.05, 1.1] as const;
const DAYS = [3, 5, 7, 10, 14, 21, 28] as const;
