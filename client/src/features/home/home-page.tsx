import { useQuery } from "@tanstack/react-query";
import { CloudOff, Sprout } from "lucide-react";
import { useRef } from "react";
import { Link, type LoaderFunctionArgs } from "react-router-dom";
import { formatTimeLeft, formatUsd } from "../../lib/format.ts";
import { paths } from "../../lib/paths.ts";
import { problemText } from "../../lib/problem.ts";
import { queryClientOf } from "../../lib/queries.tsx";
import lanes from "../../ui/art/lanes.svg";
import { useNow } from "../../ui/now.tsx";
import { PageMeta } from "../../ui/page-head.tsx";
import { RetryButton } from "../../ui/retry-buttons.tsx";
import { Spinner, StatePanel } from "../../ui/state-panel.tsx";
import { TaskCard } from "../tasks/task-card.tsx";
import { featuredTasksQuery } from "../tasks/task-queries.ts";
import { CategoryCarousel } from "./category-carousel.tsx";
import { ClientFeedback } from "./client-feedback.tsx";
import { HeroSlider } from "./hero-slider.tsx";
import { HowItWorks } from "./how-it-works.tsx";
import { useReveal } from "./motion.tsx";

/** Home. */
export function Component() {
  const root = useRef<HTMLDivElement>(null);
  useReveal(root);
  return (
    <div ref={root}>
      <PageMeta title="Home" />
      <HeroSlider />
      <LiveNow />
      <JobSearchHero />
      <FeaturedSection />
      <CategoryCarousel />
      <HowItWorks />
      <ClientFeedback />
    </div>
  );
}

const PROMISES = [
  { what: "Work your way", how: ["Remote jobs", "Hybrid jobs", "Flexible jobs"] },
  { what: "Get better at it", how: ["Skills tests", "Courses", "Career coaching"] },
];

/** The hero for job seekers. Its headline is the page's h1 because, unlike a slide, it is always visible. */
function JobSearchHero() {
  return (
    <section
      aria-labelledby="better-job"
      className="page grid items-center gap-x-16 py-8 md:grid-cols-2 md:py-20 xl:gap-x-24"
    >
      <div className="md:order-2" data-reveal>
        <h1
          id="better-job"
          className="text-4xl leading-[1.06] font-semibold sm:text-5xl lg:text-6xl lg:tracking-[-0.03em]"
        >
          A faster, easier, better job search
        </h1>
        <p className="quiet mt-4 max-w-lg text-lg md:mt-5">
          Every task shows its price and its deadline before you open it. Find the work that fits your week,
          and what helps you win it.
        </p>
        <dl className="mt-6 border-b md:mt-8 border-base-300">
          {PROMISES.map(({ what, how }) => (
            <div
              key={what}
              className="grid gap-x-6 gap-y-1 border-t border-base-300 py-3 md:py-4 sm:grid-cols-[9rem_1fr] md:grid-cols-1 lg:grid-cols-[9rem_1fr]"
            >
              <dt className="quiet">{what}</dt>
              <dd className="flex flex-wrap gap-x-5 gap-y-1 font-semibold">
                {how.map((item) => (
                  <span key={item}>{item}</span>
                ))}
              </dd>
            </div>
          ))}
        </dl>
        <Link to={paths.browse} className="btn mt-6 btn-lg btn-primary md:mt-8">
          Browse Jobs
        </Link>
      </div>
      {/* Hidden on phones, where the slider's picture is right above. */}
      <img
        src={lanes}
        alt="Task cards travel on three lanes, past an office and a home, to a freelancer at a laptop"
        width={720}
        height={640}
        loading="lazy"
        className="hidden h-auto w-full md:order-1 md:block"
      />
    </section>
  );
}

/** Reserves the height of the cards while the grid is loading, so that nothing below it shifts. */
function FeaturedSection() {
  return (
    <section aria-labelledby="featured" className="border-y border-base-300 bg-base-100">
      <div className="page py-8 md:py-20">
        <div data-reveal>
          <p className="eyebrow">Featured Job Tasks</p>
          <h2
            id="featured"
            className="mt-2 max-w-3xl text-3xl leading-tight font-semibold sm:text-4xl lg:text-5xl"
          >
            Explore Trending Offers and Find Dream Job
          </h2>
        </div>
        <div className="mt-8 has-[[role=status]]:min-h-80 md:mt-10 md:has-[[role=status]]:min-h-[56rem] lg:has-[[role=status]]:min-h-[37rem]">
          <FeaturedTasks />
        </div>
        <div className="mt-8 flex justify-center md:mt-10">
          <Link to={paths.browse} className="btn btn-outline btn-lg btn-primary">
            Explore More Projects
          </Link>
        </div>
      </div>
    </section>
  );
}

/** Starts loading the featured tasks without delaying the page. */
export function loader(args: LoaderFunctionArgs): null {
  void queryClientOf(args).prefetchQuery(featuredTasksQuery);
  return null;
}

/** The grid of Featured Job Tasks, with a spinner until it has loaded and a retry button if that fails. */
export function FeaturedTasks() {
  const { data: tasks, error } = useQuery(featuredTasksQuery);
  if (!tasks) return error ? <Failed error={error} /> : <Spinner label="Loading featured tasks" />;
  if (tasks.length === 0) {
    return (
      <StatePanel
        icon={<Sprout />}
        title="No open tasks right now"
        link={{ to: paths.addTask, text: "Post a task" }}
      >
        Be the first to post one today.
      </StatePanel>
    );
  }
  return (
    // On phones a row to swipe: the edge of the next card shows, and the padding leaves room for the cards' shadows.
    <ul className="-mx-(--gutter) -my-2 flex snap-x snap-mandatory scroll-px-(--gutter) gap-4 overflow-x-auto px-(--gutter) py-2 md:m-0 md:grid md:grid-cols-2 md:gap-5 md:overflow-visible md:p-0 lg:grid-cols-3">
      {tasks.map((task) => (
        <li key={task._id} className="grid w-[85%] shrink-0 snap-start grid-cols-1 md:w-auto">
          <TaskCard task={task} action="View Job" heading="h3" />
        </li>
      ))}
    </ul>
  );
}

function Failed({ error }: { error: Error }) {
  return (
    <StatePanel
      tone="error"
      icon={<CloudOff />}
      title="The featured tasks did not load"
      action={<RetryButton />}
    >
      {problemText(error)}
    </StatePanel>
  );
}

const SHOWN = 3;

/** A search, and the first of the featured tasks in one line each. */
export function LiveNow() {
  const { data: tasks = [] } = useQuery(featuredTasksQuery);
  const now = useNow();
  return (
    <section aria-label="Find a task" className="border-b border-base-300 bg-base-100">
      <div className="page grid grid-cols-[minmax(0,1fr)] gap-x-10 gap-y-1 py-3 md:py-6 lg:grid-cols-[minmax(0,2fr)_minmax(0,3fr)] lg:items-center">
        {/* biome-ignore lint/a11y/useSemanticElements: Enter submits a form, which a search element cannot do. */}
        <form action={paths.browse} role="search" className="flex gap-2">
          <input
            type="search"
            name="search"
            aria-label="Search tasks"
            placeholder="What can you do? Try “logo”"
            className="input input-lg w-0 min-w-0 flex-1 truncate"
          />
          <button type="submit" className="btn btn-lg btn-primary max-sm:px-4">
            Search
          </button>
        </form>
        <ul className="min-h-32 divide-y divide-base-300">
          {tasks.slice(0, SHOWN).map((task) => (
            <li key={task._id} className="relative flex items-center gap-3 py-2.5">
              <Link
                to={paths.task(task._id)}
                dir="auto"
                className="link-hover link line-clamp-1 min-w-0 grow font-medium after:absolute after:inset-0"
              >
                {task.title}
              </Link>
              <span className="quiet shrink-0 text-sm max-sm:hidden">
                {formatTimeLeft(task.deadline, now)}
              </span>
              <span className="max-w-1/2 shrink-0 font-semibold wrap-anywhere tabular-nums">
                {formatUsd(task.budget)}
              </span>
            </li>
          ))}
        </ul>
      </div>
    </section>
  );
}
