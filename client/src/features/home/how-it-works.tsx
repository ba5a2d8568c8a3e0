import { Link } from "react-router-dom";
import { paths } from "../../lib/paths.ts";

const SIDES = [
  {
    audience: "For clients",
    colour: "bg-primary",
    link: { to: paths.addTask, text: "Post a task" },
    steps: [
      {
        title: "Post the task",
        text: "Say what 'done' looks like, choose a deadline and set one fixed price. It takes about five minutes.",
      },
      {
        title: "Watch the bids",
        text: "Freelancers bid at your price or name their own. You see each bid arrive, and put the good ones on a shortlist.",
      },
      {
        title: "Award and start",
        text: "Award the task to one of them. You see each other’s email then, and settle the rest, payment too, directly.",
      },
    ],
  },
  {
    audience: "For freelancers",
    colour: "bg-accent",
    link: { to: paths.browse, text: "Find a task" },
    steps: [
      {
        title: "Find your lane",
        text: "Filter by category, search the titles, sort by deadline. Every budget is visible before you open a task.",
      },
      {
        title: "Place a bid",
        text: "One click bids the posted price. Add another amount, the days you need and a message, if you like.",
      },
      {
        title: "Do the work",
        text: "Once it is awarded to you, settle the details, deliver what was described, and get paid without a commission.",
      },
    ],
  },
];

/** How a task gets done, from both sides: two lanes with three stations each. */
export function HowItWorks() {
  return (
    <section aria-labelledby="how-it-works" className="bg-base-100">
      <div className="page py-16 md:py-24">
        <h2 id="how-it-works" className="text-3xl leading-tight font-semibold sm:text-4xl" data-reveal>
          How it works
        </h2>
        <div className="mt-10 grid gap-14 sm:grid-cols-2 sm:gap-10 lg:mt-12 lg:grid-cols-1 lg:gap-16">
          {SIDES.map((side) => (
            <Lane key={side.audience} {...side} />
          ))}
        </div>
      </div>
    </section>
  );
}

/** Runs across the page on wide screens, and down on narrow ones. */
function Lane({ audience, colour, link, steps }: (typeof SIDES)[number]) {
  return (
    <div className="grid content-start gap-x-10 gap-y-8 lg:grid-cols-[11rem_1fr]" data-reveal>
      <div className="lg:-mt-1.5">
        <h3 className="text-xl font-semibold">{audience}</h3>
        <Link
          to={link.to}
          className="mt-1 inline-block py-1 font-medium text-primary underline underline-offset-4 hover:no-underline"
        >
          {link.text}
        </Link>
      </div>
      <ol className="grid gap-8 lg:grid-cols-3 lg:gap-0">
        {steps.map(({ title, text }, index) => (
          <li key={title} className="group relative pl-10 lg:pt-10 lg:pr-8 lg:pl-0">
            <span
              aria-hidden="true"
              className={`absolute top-2 -bottom-10 left-2 w-2 group-last:bottom-0 group-last:rounded-b-full lg:top-2 lg:right-0 lg:bottom-auto lg:left-0 lg:h-2 lg:w-auto lg:group-first:rounded-l-full lg:group-last:rounded-r-full lg:group-last:rounded-bl-none ${colour}`}
            />
            <span
              aria-hidden="true"
              className="absolute top-0.5 left-0 size-6 rounded-full border-5 border-base-content bg-base-100 lg:top-0"
            />
            <h4 className="text-lg font-semibold">
              <span className="sr-only">Step {index + 1}: </span>
              {title}
            </h4>
            <p className="quiet mt-1.5 max-w-xs">{text}</p>
          </li>
        ))}
      </ol>
    </div>
  );
}
