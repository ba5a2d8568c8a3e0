import { Link } from "react-router-dom";

/** Skills as badges; with `linkTo`, each leads to what it stands for. */
export function SkillList({
  skills,
  linkTo,
}: {
  skills: readonly string[];
  linkTo?: (skill: string) => string;
}) {
  if (skills.length === 0) return null;
  const look = "badge h-auto max-w-full badge-soft wrap-anywhere whitespace-normal";
  return (
    <ul aria-label="Skills" className="flex flex-wrap gap-1.5">
      {skills.map((skill) => (
        <li key={skill} dir="auto" className={linkTo ? "" : look}>
          {linkTo ? (
            <Link to={linkTo(skill)} className={`${look} link-hover link`}>
              {skill}
            </Link>
          ) : (
            skill
          )}
        </li>
      ))}
    </ul>
  );
}
