import idris from "../art/portrait-idris.svg";
import maren from "../art/portrait-maren.svg";
import yuki from "../art/portrait-yuki.svg";

export type Testimonial = {
  id: number;
  name: string;
  title: string;
  image: string;
  feedback: string;
  /** Out of five. */
  stars: number;
};

export const testimonials: Testimonial[] = [
  {
    id: 1,
    name: "Idris Bello",
    title: "Owner of a print shop",
    image: idris,
    feedback:
      "I had four bids on a web shop repair by the next morning, and the work was good. Still, sorting out the invoice was up to the two of us, and my first description was too vague to get a fair price. Worth using again, with more preparation on my side.",
    stars: 3,
  },
  {
    id: 2,
    name: "Maren Solberg",
    title: "Marketing lead at a trail running festival",
    image: maren,
    feedback:
      "The fixed price ends a conversation I never liked having. We have posted six tasks since spring, from a route map to race-day e-mails, and five came in on time. I would love to filter by language as well.",
    stars: 4,
  },
  {
    id: 3,
    name: "Yuki Tanabe",
    title: "Head of content at a language school",
    image: yuki,
    feedback:
      "I needed 30 listening scripts proofread in nine days and had given up on finding somebody. The editor who bid had taught for years, caught two factual mistakes, and delivered a day early. She is now the first person I call.",
    stars: 5,
  },
];
