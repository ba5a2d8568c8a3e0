import { Link, useSearchParams } from "react-router-dom";
import { maxShown } from "../../../lib/pages.ts";
import { ListFull } from "../../../ui/state-panel.tsx";
import { PAGE_SIZE } from "./operator-queries.ts";

type Props = { shown: number; count: number; hasMore: boolean; what: string; hint: string };

/** The way to the next entries of a list; `hint` says what to do where it may not grow any more. */
export function LoadMore({ shown, count, hasMore, what, hint }: Props) {
  const [params] = useSearchParams();
  if (!hasMore) return null;
  if (shown >= maxShown(PAGE_SIZE)) return <ListFull shown={count} hint={hint} />;
  const more = new URLSearchParams(params);
  more.set("shown", String(shown + PAGE_SIZE));
  return (
    <div className="flex justify-center">
      <Link to={{ search: `?${more}` }} replace preventScrollReset className="btn btn-outline">
        Load more {what}
      </Link>
    </div>
  );
}
