import { type Bidder, bidderOf, type Move } from "./actions.ts";
import { dayAfter, type Life, type Task, today } from "./model.ts";
import { DESCRIPTION, MISSING, NOTE, OPERATORS_REASON, OPERATORS_TEXT, REVIEW } from "./texts.ts";

export type ApiCall = {
  method: string;
  path: string;
  body?: object;
  /** The version that `If-Match` names. */
  version?: number;
};

/** The id of a bid that never existed. */
const NO_BID = "0".repeat(24);

/** The request for a move, given the state before it. */
export function requestFor(life: Life, move: Move, uidOf: (person: string) => string): ApiCall {
  const { action } = move;
  const task = life.tasks[move.task] as Task;
  const path = `/tasks/${task?.id}`;
  const inDays = (days: number) => dayAfter(today(life), days);
  const bidOf = (bidder: Bidder) => task.bidIds.get(bidderOf(task, bidder)) ?? NO_BID;
  switch (action.kind) {
    case "post": {
      const title = `A logo for task-${life.tasks.length}`;
      const { budget, question: screeningQuestion, deadlineIn } = action;
      const draft = { title, category: "Design", description: DESCRIPTION, budget, screeningQuestion };
      return { method: "POST", path: "/tasks", body: { ...draft, deadline: inDays(deadlineIn) } };
    }
    case "edit": {
      const { deadlineIn, question: screeningQuestion, ...change } = action.change;
      const { question: _, ...terms } = task.terms;
      const deadline = deadlineIn === undefined ? task.deadline : inDays(deadlineIn);
      return {
        method: "PUT",
        path,
        body: { ...terms, ...change, deadline, screeningQuestion },
        ...(action.ifVersion && { version: task.version + (action.ifVersion === "other" ? 1 : 0) }),
      };
    }
    case "bid": {
      const { kind: _, ...draft } = action;
      return { method: "PATCH", path: `${path}/bid`, body: draft };
    }
    case "withdraw":
      return { method: "DELETE", path: `${path}/bid` };
    case "triage":
      return { method: "PATCH", path: `${path}/bids/${bidOf(action.bidder)}`, body: { state: action.to } };
    case "award":
      return { method: "POST", path: `${path}/award`, body: { bidId: bidOf(action.bidder) } };
    case "cancel":
      return { method: "PATCH", path: `${path}/state`, body: { state: "cancelled", reason: action.reason } };
    case "complete":
      return { method: "PATCH", path: `${path}/state`, body: { state: "completed" } };
    case "reopen": {
      const deadline = action.deadlineIn === undefined ? undefined : inDays(action.deadlineIn);
      return { method: "PATCH", path: `${path}/state`, body: { state: "open", deadline } };
    }
    case "deliver":
      return { method: "POST", path: `${path}/deliveries`, body: { note: NOTE, links: [] } };
    case "ask-changes":
      return { method: "POST", path: `${path}/changes`, body: { reason: MISSING } };
    case "finish":
      return { method: "POST", path: `${path}/completion` };
    case "review":
      return { method: "POST", path: `${path}/reviews`, body: { stars: action.stars, text: REVIEW } };
    case "delete":
      return { method: "DELETE", path };
    case "hide": {
      const why = { reason: OPERATORS_REASON, text: OPERATORS_TEXT };
      const body = { hidden: action.hidden, ...(action.hidden && why) };
      return { method: "PATCH", path: `${path}/visibility`, body };
    }
    case "suspend": {
      const why = { reason: OPERATORS_REASON, text: OPERATORS_TEXT };
      const body = { suspended: action.suspended, ...why };
      return { method: "PATCH", path: `/profiles/${uidOf(action.whom)}/suspension`, body };
    }
    case "read-notifications":
      return { method: "POST", path: "/me/notifications/read", body: {} };
    case "hold-announcements":
    case "wait":
      return { method: "none", path: "" };
  }
}
