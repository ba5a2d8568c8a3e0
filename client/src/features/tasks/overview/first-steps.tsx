import { useQuery } from "@tanstack/react-query";
import { Circle, CircleCheck, ClipboardPlus, type LucideIcon, Search } from "lucide-react";
import { Link } from "react-router-dom";
import { isGeneratedPhoto } from "../../../auth/photo.ts";
import { useAuth } from "../../../auth/session.tsx";
import { paths } from "../../../lib/paths.ts";
import { ownProfileQuery } from "../../../lib/queries.tsx";
import { Section } from "../../../ui/section.tsx";

const FIRST_STEPS = [
  {
    Icon: ClipboardPlus,
    title: "Get something done",
    text: "Say what you need, by when and for how much. Freelancers bid, and you choose one of them.",
    to: paths.addTask,
    action: "Post your first task",
    look: "btn-primary",
  },
  {
    Icon: Search,
    title: "Earn money",
    text: "Look for a task that suits you and bid: at its price with one click, or on your own terms.",
    to: paths.dashBrowse,
    action: "Find your first job",
    look: "btn-outline",
  },
];

/** Two ways to start, for somebody who has neither posted a task nor bid on one. */
export function FirstSteps() {
  return (
    <section aria-labelledby="first-steps" className="space-y-4">
      <h2 id="first-steps" className="text-xl font-semibold">
        Where would you like to start?
      </h2>
      <div className="grid grid-cols-[repeat(auto-fit,minmax(min(100%,17rem),1fr))] gap-5">
        {FIRST_STEPS.map(({ Icon, title, text, to, action, look }) => (
          <div key={title} className="card card-body items-start gap-4">
            <Disc Icon={Icon} />
            <div className="grow space-y-1">
              <h3 className="text-lg font-semibold">{title}</h3>
              <p className="quiet">{text}</p>
            </div>
            <Link to={to} className={`btn ${look}`}>
              {action}
            </Link>
          </div>
        ))}
      </div>
    </section>
  );
}

/** What somebody new can do for their profile; nothing once all of it is done. */
export function ProfileSteps() {
  const { user } = useAuth();
  const { data: profile } = useQuery(ownProfileQuery);
  if (!user || !profile) return null;
  const photo = user.photoURL;
  const steps = [
    { text: "Verify your email address", to: paths.verification, isDone: user.emailVerified },
    { text: "Add a photo", to: paths.settings, isDone: !!photo && !isGeneratedPhoto(photo) },
    { text: "Say in a headline what you do", to: paths.settings, isDone: profile.headline !== "" },
    { text: "List your skills", to: paths.settings, isDone: profile.skills.length > 0 },
  ];
  const done = steps.filter(({ isDone }) => isDone).length;
  if (done === steps.length) return null;
  return (
    <Section id="profile-steps" look="side" title="People hire and work for people they know">
      <p className="quiet text-sm">
        {done} of {steps.length} done
      </p>
      <ul className="space-y-1">
        {steps.map(({ text, to, isDone }) => {
          const Icon = isDone ? CircleCheck : Circle;
          return (
            <li key={text} className="flex items-center gap-3 py-1.5">
              <Icon className={`size-5 shrink-0 ${isDone ? "text-success" : "quiet"}`} />
              {isDone ? (
                <span className="quiet">
                  <span className="sr-only">Done: </span>
                  {text}
                </span>
              ) : (
                <Link to={to} className="link link-primary">
                  {text}
                </Link>
              )}
            </li>
          );
        })}
      </ul>
    </Section>
  );
}

/** An icon on a pale disc. */
export function Disc({ Icon }: { Icon: LucideIcon }) {
  return (
    <span
      aria-hidden="true"
      className="grid size-10 shrink-0 @max-[14rem]:hidden place-items-center rounded-full bg-primary/10 text-primary"
    >
      <Icon className="size-5" />
    </span>
  );
}
