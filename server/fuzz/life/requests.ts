import { type Bidder, bidderOf, type Move } from "./acts.ts";
import { dayAfter, type Life, type Task, today } from "./model.ts";
import { DESCRIPTION, MISSING, NOTE, OPERATORS_REASON, OPERATORS_TEXT, REVIEW } from "./texts.ts";

export type ApiCall = {
  method: string;
  path: string;
  body?: object;
  /** The version that `If-Match` names. */
  version?: number;
};

/** The id of a bid that there never was. */
const NO_BID = "0".repeat(24);

/** The request by which somebody tries it, in the life as it is before. */
export function requestFor(life: Life, move: Move, uidOf: (person: string) => string): ApiCall {
  const { act } = move;
  const task = life.tasks[move.task] as Task;
  const path = `/tasks/${task?.id}`;
  const inDays = (days: number) => dayAfter(today(life), days);
  const bidOf = (bidder: Bidder) => task.bidIds.get(bidderOf(task, bidder)) ?? NO_BID;
  switch (act.kind) {
    case "post": {
      const title = `A logo for task-${life.tasks.length}`;
      const { budget, question: screeningQuestion, deadlineIn } = act;
      const draft = { title, category: "Design", description: DESCRIPTION, budget, screeningQuestion };
      return { method: "POST", path: "/tasks", body: { ...draft, deadline: inDays(deadlineIn) } };
    }
    case "edit": {
      const { deadlineIn, question: screeningQuestion, ...change } = act.change;
      const { question: _, ...terms } = task.terms;
      const deadline = deadlineIn === undefined ? task.deadline : inDays(deadlineIn);
      return {
        method: "PUT",
        path,
        body: { ...terms, ...change, deadline, screeningQuestion },
        ...(act.ifVersion && { version: task.version + (act.ifVersion === "other" ? 1 : 0) }),
      };
    }
    case "bid": {
      const { kind: _, ...draft } = act;
      return { method: "PATCH", path: `${path}/bid`, body: draft };
    }
    case "withdraw":
      return { method: "DELETE", path: `${path}/bid` };
    case "sort":
      return { method: "PATCH", path: `${path}/bids/${bidOf(act.bidder)}`, body: { state: act.to } };
    case "award":
      return { method: "POST", path: `${path}/award`, body: { bidId: bidOf(act.bidder) } };
    case "cancel":
      return { method: "PATCH", path: `${path}/state`, body: { state: "cancelled", reason: act.reason } };
    case "complete":
      return { method: "PATCH", path: `${path}/state`, body: { state: "completed" } };
    case "reopen": {
      const deadline = act.deadlineIn === undefined ? undefined : inDays(act.deadlineIn);
      return { method: "PATCH", path: `${path}/state`, body: { state: "open", deadline } };
    }
    case "deliver":
      return { method: "POST", path: `${path}/deliveries`, body: { note: NOTE, links: [] } };
    case "ask-changes":
      return { method: "POST", path: `${path}/changes`, body: { reason: MISSING } };
    case "finish":
      return { method: "POST", path: `${path}/completion` };
    case "review":
      return { method: "POST", path: `${path}/reviews`, body: { stars: act.stars, text: REVIEW } };
    case "delete":
      return { method: "DELETE", path };
    case "hide": {
      const why = { reason: OPERATORS_REASON, text: OPERATORS_TEXT };
      const body = { hidden: act.hidden, ...(act.hidden && why) };
      return { method: "PATCH", path: `${path}/visibility`, body };
    }
    case "suspend": {
      const why = { reason: OPERATORS_REASON, text: OPERATORS_TEXT };
      const body = { suspended: act.suspended, ...why };
      return { method: "PATCH", path: `/profiles/${uidOf(act.whom)}/suspension`, body };
    }
    case "read-news":
      return { method: "POST", path: "/me/notifications/read", body: {} };
    case "hold-news":
    case "wait":
      return { method: "none", path: "" };
  }
}
