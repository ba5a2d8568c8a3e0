/** How much is unread, where there is anything. */
export function UnreadBadge({ count }: { count: number }) {
  if (count === 0) return null;
  return (
    <span className="badge badge-sm font-semibold tabular-nums badge-error">
      {count > 99 ? "99+" : count} <span className="sr-only">unread</span>
    </span>
  );
}
