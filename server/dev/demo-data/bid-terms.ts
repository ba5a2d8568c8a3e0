import type { Category } from "../../src/contract/index.ts";

/** What freelancers write with a bid, by the kind of work. */
export const MESSAGES: Record<Category, string[]> = {
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

/** Shares of the budget that people ask for, and days they need. */
export const SHARES = [0.8, 0.85, 0.9, 0.95, 1, 1, 1.05, 1.1] as const;
export const DAYS = [3, 5, 7, 10, 14, 21, 28] as const;
