type Props = {
  count: number;
  /** What is counted, for screen readers: "3 unread". */
  what: string;
};

/** The number of items that need attention; nothing if there are none. */
export function CountBadge({ count, what }: Props) {
  if (count === 0) return null;
  return (
    <span className="badge badge-sm font-semibold tabular-nums badge-error">
      {count > 99 ? "99+" : count} <span className="sr-only">{what}</span>
    </span>
  );
}
