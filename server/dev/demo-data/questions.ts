import type { DemoName } from "./people.ts";

type DemoQuestion = {
  /** The task's. */
  key: string;
  by: DemoName;
  daysAgo: number;
  text: string;
  /** Given half a day later. */
  answer?: string;
};

/** What freelancers asked on open tasks, newest first. */
export const demoQuestions: DemoQuestion[] = [
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
