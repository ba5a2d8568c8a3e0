import { useQuery } from "@tanstack/react-query";
import { Circle, CircleCheck } from "lucide-react";
import { Link } from "react-router-dom";
import { useAuth } from "../../../auth/session.tsx";
import { useApi } from "../../../lib/api-context.tsx";
import { paths } from "../../../lib/paths.ts";
import { ownProfileQuery } from "../../settings/profile-data.ts";

/** What somebody new can do for their profile; nothing once all of it is done. */
export function ProfileSteps() {
  const { user } = useAuth();
  const { data: profile } = useQuery(ownProfileQuery(useApi()));
  if (!user || !profile) return null;
  const steps = [
    { text: "Verify your email address", to: paths.verification, isDone: user.emailVerified },
    { text: "Add a photo", to: paths.settings, isDone: user.photoURL !== null },
    { text: "Say in a headline what you do", to: paths.settings, isDone: profile.headline !== "" },
    { text: "List your skills", to: paths.settings, isDone: profile.skills.length > 0 },
  ];
  const done = steps.filter(({ isDone }) => isDone).length;
  if (done === steps.length) return null;
  return (
    <section aria-labelledby="profile-steps" className="card card-body gap-3">
      <h2 id="profile-steps" className="text-lg font-semibold">
        People hire and work for people they know
      </h2>
      <p className="quiet text-sm">
        {done} of {steps.length} done
      </p>
      <ul className="space-y-1">
        {steps.map(({ text, to, isDone }) => {
          const Icon = isDone ? CircleCheck : Circle;
          return (
            <li key={text} className="flex items-center gap-3 py-1.5">
              <Icon aria-hidden="true" className={`size-5 shrink-0 ${isDone ? "text-success" : "quiet"}`} />
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
    </section>
  );
}
