import { ObjectId } from "mongodb";
import { addDays, type CalendarDate, calendarDate, type TaskDraft } from "../src/contract/index.ts";
import type { AwardDoc, BidDoc, TaskDoc } from "../src/db/collections.ts";
import { titleGrams } from "../src/features/tasks/title-grams.ts";

/** The calendar date in UTC that many days from now. */
export function inDays(days: number): CalendarDate {
  return addDays(calendarDate(new Date()), days);
}

/** A draft that is right in every field; a test names only what it is about. */
export function aTaskDraft(fields: Partial<TaskDraft> = {}): TaskDraft {
  return {
    title: "Build a booking page",
    category: "Web Development",
    description: "Two pages, one form.\nThe design is ready.",
    deadline: inDays(30),
    budget: 450.5,
    ...fields,
  };
}

/** A stored task of some client nobody in the tests is. */
export function aTaskDoc(fields: Partial<TaskDoc> = {}): TaskDoc {
  const now = new Date();
  const { showEmail: _, ...draft } = aTaskDraft();
  return {
    _id: new ObjectId(),
    ...draft,
    ownerId: "some-client",
    email: "some-client@people.example",
    name: "Some Client",
    bidsCount: 0,
    createdAt: now,
    updatedAt: now,
    revision: 0,
    grams2: titleGrams(fields.title ?? draft.title),
    ...fields,
  };
}

/** A stored bid of some freelancer nobody in the tests is. */
export function aBidDoc(fields: Partial<BidDoc> = {}): BidDoc {
  return {
    _id: new ObjectId(),
    taskId: new ObjectId(),
    bidderId: "some-freelancer",
    bidderName: "Some Freelancer",
    bidderEmail: "some-freelancer@people.example",
    amount: 400,
    createdAt: new Date(),
    ...fields,
  };
}

/** What a task says of the bid that it was awarded to. */
export function anAwardOf(bid: BidDoc): AwardDoc {
  const { _id: bidId, bidderId: freelancerId, bidderName: name, bidderEmail: email, amount = 400 } = bid;
  return { bidId, freelancerId, name, email, amount, at: new Date() };
}
