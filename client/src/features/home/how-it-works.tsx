import { Link } from "react-router-dom";
import { paths } from "../../lib/paths.ts";

const SIDES = [
  {
    audience: "For clients",
    color: "bg-primary",
    link: { to: paths.addTask, text: "Post a task" },
    steps: [
      {
        title: "Post the task",
        text: "Describe the result, choose a deadline and set one fixed price.",
      },
      {
        title: "Watch the bids",
        text: "Freelancers bid at your price or name their own. Shortlist the good ones.",
      },
      {
        title: "Award and start",
        text: "Choose one. You see each other’s email and settle the rest, payment too, directly.",
      },
    ],
  },
  {
    audience: "For freelancers",
    color: "bg-accent",
    link: { to: paths.browse, text: "Find a task" },
    steps: [
      {
        title: "Find your lane",
        text: "Search, filter and sort. Every budget is visible before you open a task.",
      },
      {
        title: "Place a bid",
        text: "One click bids the posted price. Or name your own, with days and a message.",
      },
      {
        title: "Do the work",
        text: "Settle the details, deliver what was described, and get paid without a commission.",
      },
    ],
  },
];

/** How a task gets done, from both sides: two lanes with three steps each. */
export function HowItWorks() {
  return (
    <section aria-labelledby="how-it-works" className="bg-base-100">
      <div className="page space-y-8 py-12 md:space-y-12 md:py-20" data-reveal>
        <h2 id="how-it-works" className="text-3xl leading-tight font-semibold sm:text-4xl lg:text-5xl">
          How it works
        </h2>
        {SIDES.map((side) => (
          <Lane key={side.audience} {...side} />
        ))}
      </div>
    </section>
  );
}

/** A lane is horizontal, and vertical on phones. */
function Lane({ audience, color, link, steps }: (typeof SIDES)[number]) {
  return (
    <div className="grid content-start gap-x-10 gap-y-5 lg:grid-cols-[11rem_1fr]">
      <div className="flex flex-wrap items-baseline justify-between gap-x-6 lg:-mt-1.5 lg:block">
        <h3 className="text-xl font-semibold">{audience}</h3>
        <Link
          to={link.to}
          className="inline-block py-1 font-medium text-primary underline underline-offset-4 hover:no-underline lg:mt-1"
        >
          {link.text}
        </Link>
      </div>
      <ol className="grid gap-5 sm:grid-cols-3 sm:gap-0">
        {steps.map(({ title, text }, index) => (
          <li key={title} className="group relative pl-10 sm:pt-10 sm:pr-6 sm:pl-0">
            <span
              aria-hidden="true"
              className={`absolute top-2 -bottom-7 left-2 w-2 group-last:bottom-0 group-last:rounded-b-full sm:top-2 sm:right-0 sm:bottom-auto sm:left-0 sm:h-2 sm:w-auto sm:group-first:rounded-l-full sm:group-last:rounded-r-full sm:group-last:rounded-bl-none ${color}`}
            />
            <span
              aria-hidden="true"
              className="absolute top-0.5 left-0 size-6 rounded-full border-5 border-base-content bg-base-100 sm:top-0"
            />
            <h4 className="text-lg font-semibold">
              <span className="sr-only">Step {index + 1}: </span>
              {title}
            </h4>
            <p className="quiet mt-1 max-w-xs">{text}</p>
          </li>
        ))}
      </ol>
    </div>
  );
}
