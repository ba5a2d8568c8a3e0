import type { QuestionDoc } from "../../../src/db/documents/tasks.ts";
import { daysBefore, HOUR_MS, idOf } from "./ids-and-dates.ts";
import { type DemoName, demoAccount } from "./people.ts";
import { demoTasks } from "./tasks.ts";

type DemoQuestion = {
  /** The task's key. */
  key: string;
  by: DemoName;
  daysAgo: number;
  text: string;
  /** Given half a day later. */
  answer?: string;
};

/** Questions on open tasks, newest first. */
const demoQuestions: DemoQuestion[] = [
  {
    key: "bike-rental-calendar",
    by: "tariq",
    daysAgo: 1,
    text: "When a bike is held for 15 minutes, who releases it: your API, or should the component do that?",
  },
  {
    key: "bike-rental-calendar",
    by: "kofi",
    daysAgo: 2,
    text: "Does the calendar have to work in other languages than English?",
    answer: "English and German for now. The texts come from us, so keys in a JSON file are all we need.",
  },
  {
    key: "bike-rental-calendar",
    by: "linh",
    daysAgo: 3,
    text: "Which React version does the website use?",
    answer: "React 19, built with Vite. We can move the pages that show the calendar to anything newer.",
  },
  {
    key: "astro-portfolio-migration",
    by: "mateo",
    daysAgo: 4,
    text: "How many of the blog posts contain more than text and images, such as embedded videos?",
    answer: "About six. Plain links are fine for those.",
  },
];

export function questionDocs(today: Date): QuestionDoc[] {
  return demoQuestions.map(({ key, by, daysAgo, text, answer }) => {
    const createdAt = daysBefore(today, daysAgo);
    const answeredAt = new Date(createdAt.getTime() + 12 * HOUR_MS);
    return {
      _id: idOf(`question:${key}:${by}`),
      taskId: idOf(`task:${key}`),
      askerId: demoAccount(by).uid,
      clientId: demoAccount(demoTasks.find((task) => task.key === key)?.by ?? by).uid,
      text,
      answered: answer !== undefined,
      ...(answer !== undefined && { answer: { text: answer, createdAt: answeredAt, updatedAt: answeredAt } }),
      hidden: false,
      createdAt,
    };
  });
}
