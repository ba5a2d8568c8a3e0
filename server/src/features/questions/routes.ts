import { hash } from "node:crypto";
import { ObjectId } from "mongodb";
import type { User } from "../../auth/token-verifier.ts";
import type { Context } from "../../context.ts";
import { calendarDate, mayAct, QUESTION_LIMITS, taskState } from "../../contract/index.ts";
import { questionEndpoints, questionSchema } from "../../contract/question.ts";
import type { QuestionDoc, TaskDoc } from "../../db/documents/tasks.ts";
import { announce, announcementKey } from "../../domain/announcements.ts";
import { FORMER_MEMBER, notify } from "../../domain/notify.ts";
import { logAct } from "../../domain/operators.ts";
import { namesOf, personIn } from "../../domain/people.ts";
import { pick } from "../../domain/present.ts";
import { ProblemError, wrongState } from "../../domain/problem-error.ts";
import {
  inStatesFor,
  requireClient,
  requireVisible,
  titleFor,
  VISIBLE,
} from "../../domain/task-conditions.ts";
import type { Api } from "../../http/mount.ts";
import { readUnmarkedFirst } from "../../http/pagination.ts";

const CHANGED = { $inc: { questionsRevision: 1 } } as const;

/**
 * Questions on a task, asked and answered in public. Every write also writes the question's task, with the rule in the
 * filter, so that concurrent ones collide instead of both passing their checks, and open pages of the task are updated.
 */
export function questionRoutes(api: Api, { database }: Context): void {
  const { tasks, questions, notifications, transactionOn } = database;

  /** Notifies the asker and announces the answer to the others. A shared key keeps a bidding asker from both. */
  async function notifyOfAnswer(
    task: TaskDoc,
    { askerId: recipientId }: QuestionDoc,
    actor: User,
    now: Date,
  ): Promise<void> {
    const _id = new ObjectId();
    const onceKey = announcementKey(_id, recipientId);
    const notice = { recipientId, kind: "question-answered", task, asClient: false, actor, onceKey } as const;
    await notify(notifications, [notice], now);
    await announce(database, { _id, kind: "new-answer", task, actor }, now);
  }

  api.mount(questionEndpoints, {
    // Those that the visitor may see: unanswered ones first, each part newest first.
    listQuestions: async ({ params: { id: taskId }, user, ...call }) => {
      const task = await tasks.findOne({ _id: taskId });
      requireVisible(task, user);
      const isClient = task.ownerId === user?.uid;
      const page = await readUnmarkedFirst(call, `questions ${taskId}`, questions, "answered", (answered) => {
        if (answered || isClient) return { taskId, hidden: false };
        // The client sees all unanswered questions, others only their own.
        return user && { taskId, askerId: user.uid, hidden: false };
      });
      // Only the client sees who asked, just as bidders do not see each other.
      const askers = isClient ? page.map(({ askerId }) => askerId) : [];
      const known = await namesOf(database, askers);
      return page.map((question) => {
        const { askerId: id } = question;
        const asker = known.get(id);
        return {
          ...pick(question, questionSchema),
          isOwn: id === user?.uid || undefined,
          asker: isClient ? (asker ? { id, ...asker } : { name: FORMER_MEMBER }) : undefined,
        };
      });
    },

    // Asks the client a question and notifies them, up to the limit per person and task.
    askQuestion: ({ params: { id: taskId }, body: { text }, user: asker, now }) => {
      return transactionOn(taskId, async () => {
        const task = await tasks.findOne({ _id: taskId });
        requireVisible(task, asker);
        // The count stays correct, because writing the task makes concurrent questions collide.
        const asked = await questions.countDocuments({ askerId: asker.uid, taskId });
        if (asked >= QUESTION_LIMITS.perTask) throw new ProblemError("questions-used-up");
        const open = { ...VISIBLE, questionsClosed: false, ...inStatesFor("ask", calendarDate(now)) };
        const { matchedCount } = await tasks.updateOne(
          { _id: taskId, ownerId: { $ne: asker.uid }, ...open },
          CHANGED,
        );
        if (matchedCount === 0) throw whyNotAsk(task, asker, now);
        const _id = new ObjectId();
        const sides = { askerId: asker.uid, clientId: task.ownerId };
        const doc = { _id, taskId, ...sides, text, answered: false, hidden: false, createdAt: now };
        await questions.insertOne(doc);
        // Deleting a question and asking again does not notify the client a second time.
        // A hash, so that the key identifies nobody once their account is deleted.
        const onceKey = hash("sha256", `question ${taskId} ${asker.uid} ${asked + 1}`, "base64url");
        const notice = { recipientId: task.ownerId, kind: "new-question", task, asClient: true } as const;
        await notify(notifications, [{ ...notice, actor: asker, onceKey }], now);
        return _id;
      });
    },

    // Answers a question on the caller's task, or changes the answer. The asker and bidders are notified once.
    answerQuestion: ({ params, body: { text, updatedAt }, user: caller, now }) => {
      const { id: taskId, questionId: _id } = params;
      return transactionOn(taskId, async () => {
        const task = await tasks.findOne({ _id: taskId });
        requireClient(task, caller);
        const question = await questions.findOne({ _id, taskId, hidden: false });
        if (!question) throw new ProblemError("question-not-found");
        if (question.answer?.text === text) return false;
        if (updatedAt !== undefined && updatedAt !== (question.answer?.updatedAt.toISOString() ?? ""))
          throw new ProblemError("changed-meanwhile", { detail: CHANGED_ANSWER });
        // What a task was hidden for may be in an answer: it can be changed, like the task itself.
        const visible = question.answered ? {} : VISIBLE;
        const filter = { _id: taskId, ...visible, ...inStatesFor("answer", calendarDate(now)) };
        const { matchedCount } = await tasks.updateOne(filter, CHANGED);
        if (matchedCount === 0)
          throw wrongState("The task no longer takes bids: its answers stay as they are.");
        const answer = { text, createdAt: question.answer?.createdAt ?? now, updatedAt: now };
        await questions.updateOne({ _id }, { $set: { answered: true, answer } });
        if (!question.answered) await notifyOfAnswer(task, question, caller, now);
        return true;
      });
    },

    // Deletes the caller's own question if it is unanswered.
    deleteQuestion: ({ params, user: asker }) => {
      const { id: taskId, questionId: _id } = params;
      const own = { _id, taskId, askerId: asker.uid };
      return transactionOn(taskId, async () => {
        const removed = await questions.deleteOne({ ...own, answered: false, hidden: false });
        if (removed.deletedCount > 0) {
          await tasks.updateOne({ _id: taskId }, CHANGED);
          return true;
        }
        const answered = await questions.findOne({ ...own, answered: true });
        if (answered) throw new ProblemError("question-answered");
        return false;
      });
    },

    // Closes the caller's task to new questions, or opens it to them again.
    changeQuestions: ({ params, body: { closed }, user: caller }) => {
      const { id: _id } = params;
      return transactionOn(_id, async () => {
        const { matchedCount } = await tasks.updateOne(
          { _id, ownerId: caller.uid, questionsClosed: !closed },
          { $set: { questionsClosed: closed }, ...CHANGED },
        );
        if (matchedCount > 0) return true;
        requireClient(await tasks.findOne({ _id }), caller);
        return false;
      });
    },

    // Hides or restores a question, and notifies the authors of question and answer.
    setQuestionVisibility: ({ params, body, user: operator, now }) => {
      const { hidden, reason, text } = body;
      const { id: taskId, questionId: _id } = params;
      return transactionOn(taskId, async () => {
        const filter = { _id, taskId };
        const change = { $set: { hidden } };
        const other = { ...filter, hidden: !hidden };
        const question = await questions.findOneAndUpdate(other, change);
        if (!question) {
          if (await questions.findOne(filter)) return false;
          throw new ProblemError("question-not-found");
        }
        const task = await tasks.findOneAndUpdate({ _id: taskId }, CHANGED);
        if (!task) return true;
        const kind = hidden ? "question-hidden" : "question-restored";
        const notice = { kind, task, ...(hidden && { reason, text }) } as const;
        const { askerId: recipientId } = question;
        const visibleTask = { _id: taskId, title: titleFor(task, recipientId) };
        const asker = { ...notice, task: visibleTask, recipientId, asClient: false };
        const client = { ...notice, recipientId: task.ownerId, asClient: true };
        await notify(notifications, question.answered ? [asker, client] : [asker], now);
        const person = await personIn(database, question.askerId);
        await logAct(database, { kind, task, person, reason, text }, operator, now);
        return true;
      });
    },
  });
}

const CHANGED_ANSWER =
  "This answer was changed since you read it, for example in another tab. Send yours again to replace the new one.";

function whyNotAsk(task: TaskDoc, asker: User, now: Date): ProblemError {
  if (task.ownerId === asker.uid) return new ProblemError("own-task");
  const state = taskState(task, now);
  if (state === "expired") return new ProblemError("task-expired");
  if (task.hidden || !mayAct("ask", "freelancer", state))
    return new ProblemError("task-not-open", { detail: "This task no longer takes questions." });
  return new ProblemError("questions-closed");
}
