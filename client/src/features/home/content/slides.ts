import slideDeadline from "../art/slide-deadline.svg";
import slideEasy from "../art/slide-easy.svg";
import slideHire from "../art/slide-hire.svg";

export type Slide = {
  id: number;
  image: string;
  alt: string;
  /** The picture's own background, which the whole slide takes on. */
  tone: "forest" | "sand" | "sky";
  title: string;
  description: string;
  btnText: string;
  link: string;
};

/** Titles, buttons and links are those of SPEC section 2, Home. */
export const slides: Slide[] = [
  {
    id: 1,
    image: slideHire,
    alt: "One task card on three lanes, each leading to another expert",
    tone: "forest",
    title: "Hire Experts for Any Task",
    description:
      "Describe the result, name a fixed price and a deadline, and hear from people who do this work every day.",
    btnText: "Get Started",
    link: "/addtask",
  },
  {
    id: 2,
    image: slideEasy,
    alt: "A laptop with a board of tasks, lanes passing behind it",
    tone: "sand",
    title: "Freelance Work Made Easy",
    description:
      "Every task shows its budget and its deadline up front. Pick the ones that fit your week and place a bid in one click.",
    btnText: "Explore Tasks",
    link: "/browsetask",
  },
  {
    id: 3,
    image: slideDeadline,
    alt: "A clock as a ring line, with a task card on its way round",
    tone: "sky",
    title: "Stay on Deadline, Always",
    description:
      "See all the tasks you posted in one table, follow the bids as they come in, and move a date before it becomes a problem.",
    btnText: "My Posted Tasks",
    link: "/myposttask",
  },
];
