import { bidDocs, markSentMessages } from "./bids.ts";
import { conversationDocs, messageDocs } from "./conversations.ts";
import { demoHires, reviewDocs, timelineDocs } from "./hires.ts";
import { notificationDocs } from "./notifications.ts";
import { queueDocs, reportDocs } from "./operators.ts";
import { personDocs } from "./profiles.ts";
import { questionDocs } from "./questions.ts";
import { savedSearchDocs, savedTaskDocs } from "./saved.ts";
import { demoTasks, taskDoc } from "./tasks.ts";

/**
 * The demo documents by collection, with dates relative to `today`. Ids derive from keys, and amounts, days and messages from
 * ids: they are the same every time, so that an interrupted load can continue.
 */
export function demoDocuments(today: Date) {
  const perTask = demoTasks.map((demo) => {
    const hire = demoHires.find(({ key }) => key === demo.key);
    const bids = bidDocs(demo, hire, today);
    const task = taskDoc(demo, hire, bids, today);
    const reviews = reviewDocs(task, hire, today);
    const timeline = timelineDocs(task, hire, today);
    return {
      task,
      bids,
      reviews,
      timeline,
      notifications: notificationDocs(task, bids, reviews, timeline, today),
    };
  });
  const tasks = perTask.map(({ task }) => task);
  const bids = perTask.flatMap((each) => each.bids);
  markSentMessages(bids);
  return {
    tasks,
    bids,
    questions: questionDocs(today),
    people: personDocs(today),
    reviews: perTask.flatMap(({ reviews }) => reviews),
    notifications: perTask.flatMap(({ notifications }) => notifications),
    reports: reportDocs(tasks, today),
    conversations: conversationDocs(tasks, today),
    messages: messageDocs(today),
    savedTasks: savedTaskDocs(today),
    timeline: perTask.flatMap(({ timeline }) => timeline),
    savedSearches: savedSearchDocs(today),
    operatorQueue: queueDocs(bids),
  };
}

export type DemoDocuments = ReturnType<typeof demoDocuments>;
