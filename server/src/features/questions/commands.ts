import { createHash } from "node:crypto";
import { type ClientSession, ObjectId } from "mongodb";
import type { User } from "../../auth/token-verifier.ts";
import {
  type AnswerDraft,
  calendarDate,
  mayAct,
  QUESTION_LIMITS,
  type QuestionDraft,
  taskState,
  type Visibility,
} from "../../contract/index.ts";
import type { Database } from "../../db/client.ts";
import type { QuestionDoc, TaskDoc } from "../../db/documents/tasks.ts";
import type { Jobs } from "../../db/jobs.ts";
import { announce, announcementKey } from "../../domain/announcements.ts";
import { notify, notifyOnce } from "../../domain/notify.ts";
import { logAct } from "../../domain/operators.ts";
import { ProblemError } from "../../domain/problem-error.ts";
import { canSee, inStatesFor, requireClient, titleFor, VISIBLE } from "../../domain/task-conditions.ts";

/** The ids of a task and of a question on it. */
type QuestionPath = { id: string; questionId: string };
const TASK = {
  title: 1,
  ownerId: 1,
  state: 1,
  deadline: 1,
  award: 1,
  revision: 1,
  hidden: 1,
  questionsClosed: 1,
} as const;
type AskedTask = Pick<TaskDoc, "_id" | keyof typeof TASK>;
const CHANGED = { $inc: { questionsRevision: 1 } } as const;

/**
 * The writes of questions. Every command also writes the question's task, with the rule in the filter, so that
 * concurrent commands collide instead of both passing their checks, and open pages of the task are updated.
 */
export function questionCommands(database: Database, { nudge }: Pick<Jobs, "nudge">) {
  const { tasks, questions, people, notifications, transactionOn } = database;

  const findTask = (_id: ObjectId, session: ClientSession) =>
    tasks.findOne<AskedTask>({ _id }, { session, projection: TASK });

  return {
    /** Asks the client a question and notifies them, up to the limit per person and task. */
    ask(id: string, { text }: QuestionDraft, asker: User, now: Date): Promise<string> {
      const taskId = new ObjectId(id);
      return transactionOn([taskId], async (session) => {
        const task = await findTask(taskId, session);
        if (!task || !canSee(task, asker)) throw new ProblemError("task-not-found");
        // The count stays correct, because writing the task makes concurrent questions collide.
        const asked = await questions.countDocuments({ askerId: asker.uid, taskId }, { session });
        if (asked >= QUESTION_LIMITS.perTask) throw new ProblemError("questions-used-up");
        const open = { ...VISIBLE, questionsClosed: false, ...inStatesFor("ask", calendarDate(now)) };
        const { matchedCount } = await tasks.updateOne(
          { _id: taskId, ownerId: { $ne: asker.uid }, ...open },
          CHANGED,
          { session },
        );
        if (matchedCount === 0) throw whyNotAsk(task, asker, now);
        const _id = new ObjectId();
        const sides = { askerId: asker.uid, clientId: task.ownerId };
        const doc = { _id, taskId, ...sides, text, answered: false, hidden: false, createdAt: now };
        await questions.insertOne(doc, { session });
        // Deleting a question and asking again does not notify the client a second time.
        const onceKey = digest(`question ${id} ${asker.uid} ${asked + 1}`);
        const notice = { recipientId: task.ownerId, kind: "new-question", task, asClient: true } as const;
        await notifyOnce(notifications, [{ ...notice, actor: asker, onceKey }], { session, now });
        return _id.toHexString();
      });
    },

    /** Answers a question on the caller's task, or changes the answer. The asker and bidders are notified once. */
    answer(path: QuestionPath, { text }: AnswerDraft, caller: User, now: Date): Promise<boolean> {
      const [taskId, _id] = [new ObjectId(path.id), new ObjectId(path.questionId)];
      const answering = transactionOn([taskId], async (session) => {
        const task = await findTask(taskId, session);
        if (!task) throw new ProblemError("task-not-found");
        requireClient(task, caller);
        const question = await questions.findOne({ _id, taskId, hidden: false }, { session });
        if (!question) throw new ProblemError("question-not-found");
        if (question.answer?.text === text) return false;
        const filter = { _id: taskId, ...VISIBLE, ...inStatesFor("answer", calendarDate(now)) };
        const { matchedCount } = await tasks.updateOne(filter, CHANGED, { session });
        if (matchedCount === 0) throw new ProblemError("wrong-state", { detail: FIXED });
        const answer = { text, createdAt: question.answer?.createdAt ?? now, updatedAt: now };
        await questions.updateOne({ _id }, { $set: { answered: true, answer } }, { session });
        if (!question.answered) await notifyOfAnswer(task, question, caller, { session, now });
        return true;
      });
      return answering.finally(() => nudge("announcement"));
    },

    /** Deletes the caller's own question if it is unanswered. */
    remove({ id, questionId }: QuestionPath, asker: User): Promise<boolean> {
      const taskId = new ObjectId(id);
      const own = { _id: new ObjectId(questionId), taskId, askerId: asker.uid };
      return transactionOn([taskId], async (session) => {
        const removed = await questions.deleteOne({ ...own, answered: false, hidden: false }, { session });
        if (removed.deletedCount > 0) {
          await tasks.updateOne({ _id: taskId }, CHANGED, { session });
          return true;
        }
        const answered = await questions.findOne({ ...own, answered: true }, { session });
        if (answered) throw new ProblemError("question-answered");
        return false;
      });
    },

    /** Closes the caller's task to new questions, or opens it to them again. */
    setClosed(id: string, caller: User, closed: boolean): Promise<boolean> {
      const _id = new ObjectId(id);
      return transactionOn([_id], async (session) => {
        const { matchedCount } = await tasks.updateOne(
          { _id, ownerId: caller.uid, questionsClosed: !closed },
          { $set: { questionsClosed: closed }, ...CHANGED },
          { session },
        );
        if (matchedCount > 0) return true;
        const task = await findTask(_id, session);
        if (!task) throw new ProblemError("task-not-found");
        requireClient(task, caller);
        return false;
      });
    },

    /** Hides or restores a question, and notifies the authors of question and answer. */
    setHidden(
      path: QuestionPath,
      { hidden, reason, text }: Visibility,
      operator: User,
      now: Date,
    ): Promise<boolean> {
      const [taskId, _id] = [new ObjectId(path.id), new ObjectId(path.questionId)];
      return transactionOn([taskId], async (session) => {
        const filter = { _id, taskId };
        const change = { $set: { hidden } };
        const question = await questions.findOneAndUpdate({ ...filter, hidden: !hidden }, change, {
          session,
        });
        if (!question) {
          const known = await questions.findOne(filter, { session });
          if (!known) throw new ProblemError("question-not-found");
          return false;
        }
        const task = await tasks.findOneAndUpdate({ _id: taskId }, CHANGED, { session, projection: TASK });
        if (!task) return true;
        const kind = hidden ? "question-hidden" : "question-restored";
        const notice = { kind, task, ...(hidden && { reason, text }) } as const;
        const { askerId: recipientId } = question;
        const visibleTask = { _id: taskId, title: titleFor(task, recipientId) };
        const asker = { ...notice, task: visibleTask, recipientId, asClient: false };
        const client = { ...notice, recipientId: task.ownerId, asClient: true };
        await notify(notifications, question.answered ? [asker, client] : [asker], { session, now });
        const author = await people.findOne({ _id: question.askerId }, { session, projection: { name: 1 } });
        const person = author ? { uid: author._id, name: author.name } : undefined;
        await logAct(database, { kind, task, person, reason, text }, operator, { session, now });
        return true;
      });
    },
  };

  /** Notifies the asker and announces the answer to the others. A shared key keeps a bidding asker from both. */
  async function notifyOfAnswer(
    task: AskedTask,
    { askerId: recipientId }: QuestionDoc,
    actor: User,
    at: { session: ClientSession; now: Date },
  ): Promise<void> {
    const _id = new ObjectId();
    const onceKey = announcementKey(_id, recipientId);
    const notice = { recipientId, kind: "question-answered", task, asClient: false, actor, onceKey } as const;
    await notifyOnce(notifications, [notice], at);
    await announce(database, { _id, kind: "new-answer", task, actor }, at);
  }
}

const FIXED = "The task no longer takes bids: its answers stay as they are.";

function whyNotAsk(task: AskedTask, asker: User, now: Date): ProblemError {
  if (task.ownerId === asker.uid) return new ProblemError("own-task");
  const state = taskState(task, now);
  if (state === "expired") return new ProblemError("task-expired");
  if (task.hidden || !mayAct("ask", "freelancer", state))
    return new ProblemError("task-not-open", { detail: "This task no longer takes questions." });
  return new ProblemError("questions-closed");
}

// A hash, so that the key identifies nobody once their account is deleted.
function digest(text: string): string {
  return createHash("sha256").update(text).digest("base64url");
}
