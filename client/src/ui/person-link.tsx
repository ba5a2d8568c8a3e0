import { Link } from "react-router-dom";
import { paths } from "../lib/paths.ts";

type Props = { id?: string | undefined; name: string; className?: string };

/** A person's name as a link to their profile. Without an id (a deleted account) it is plain text. */
export function PersonLink({ id, name, className = "" }: Props) {
  if (!id) return <bdi className={className}>{name}</bdi>;
  return (
    <Link to={paths.person(id)} dir="auto" className={`link link-hover ${className}`}>
      {name}
    </Link>
  );
}
