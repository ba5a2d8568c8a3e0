import type { DemoName } from "./people.ts";

/** Screening questions of clients, and the bidders' answers. */
export const demoScreening: {
  key: string;
  question: string;
  answers: { [name in DemoName]?: string };
}[] = [
  {
    key: "menu-redesign-bakery",
    question: "How will the bakers change a price in the morning, without you?",
    answers: {
      hana: "They type it into a one-page Word file and print on perforated sheets. I bring a stack for the first month.",
      claire:
        "With a pen: the cards have a writable field, and the typeface is drawn to look good beside handwriting.",
      linh: "In a small table that fills the Word template. One file, one click, no layout to break.",
      tariq: "I send a template. Write to tariq@print.example, then we talk.",
      elena:
        "They swap printed digits in a rail, as train stations used to. No printer at six in the morning.",
    },
  },
  {
    key: "rehab-exercise-icons",
    question: "Have you drawn people in motion at this size before? Where can I see it?",
    answers: {
      hana: "Yes, 120 yoga poses for a studio’s wall charts; they are in my portfolio, first row.",
      claire: "For two museum apps. The icons are 16 px there, so 12 mm in print is a holiday.",
      elena: "Not icons, but technical drawings of hand positions for a violin school.",
      mateo: "No, but I can draw three of yours before you decide.",
    },
  },
];
