import { Link } from "react-router-dom";
import { paths } from "../lib/paths.ts";

type Props = { id?: string | undefined; name: string; className?: string };

/** Somebody's name, which leads to their profile. Whoever deleted their account has no id, and no profile. */
export function PersonLink({ id, name, className = "" }: Props) {
  if (!id) return <bdi className={className}>{name}</bdi>;
  return (
    <Link to={paths.person(id)} dir="auto" className={`link link-hover ${className}`}>
      {name}
    </Link>
  );
}
