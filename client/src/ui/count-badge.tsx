type Props = {
  count: number;
  /** What they are, for those who do not see the badge: "3 unread". */
  what: string;
};

/** How many wait to be looked at, where there are any. */
export function CountBadge({ count, what }: Props) {
  if (count === 0) return null;
  return (
    <span className="badge badge-sm font-semibold tabular-nums badge-error">
      {count > 99 ? "99+" : count} <span className="sr-only">{what}</span>
    </span>
  );
}
