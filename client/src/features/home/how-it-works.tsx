import { Link } from "react-router-dom";
import { paths } from "../../lib/paths.ts";
import { howItWorks, type HowItWorks as Side } from "./content/how-it-works.ts";

/** How a task gets done, from both sides: two lanes with three stations each. */
export function HowItWorks() {
  return (
    <section aria-labelledby="how-it-works" className="bg-base-100">
      <div className="page py-16 md:py-24">
        <h2 id="how-it-works" className="text-3xl leading-tight font-semibold sm:text-4xl" data-reveal>
          How it works
        </h2>
        <div className="mt-10 grid gap-14 sm:grid-cols-2 sm:gap-10 lg:mt-12 lg:grid-cols-1 lg:gap-16">
          <Lane
            side={howItWorks.clients}
            colour="bg-primary"
            link={{ to: paths.addTask, text: "Post a task" }}
          />
          <Lane
            side={howItWorks.freelancers}
            colour="bg-accent"
            link={{ to: paths.browse, text: "Find a task" }}
          />
        </div>
      </div>
    </section>
  );
}

type LaneProps = { side: Side; colour: string; link: { to: string; text: string } };

/** Runs across the page on wide screens, and down on narrow ones. */
function Lane({ side, colour, link }: LaneProps) {
  return (
    <div className="grid content-start gap-x-10 gap-y-8 lg:grid-cols-[11rem_1fr]" data-reveal>
      <div className="lg:-mt-1.5">
        <h3 className="text-xl font-semibold">{side.audience}</h3>
        <Link
          to={link.to}
          className="mt-1 inline-block py-1 font-medium text-primary underline underline-offset-4 hover:no-underline"
        >
          {link.text}
        </Link>
      </div>
      <ol className="grid gap-8 lg:grid-cols-3 lg:gap-0">
        {side.steps.map(({ title, text }, index) => (
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
