import type { ReactNode } from "react";
import { Link } from "react-router-dom";
import { Menu } from "./menu.tsx";

/** The button of a row's next step. */
export const ROW_BUTTON =
  "btn grow @max-2xl:[--size:2.75rem] @2xl:btn-sm @2xl:min-w-20 @2xl:grow-0 @2xl:whitespace-nowrap";
/** The rows of a table. */
export const CARD_ROWS = "block @2xl:table-row-group";
/** A row that is a card with two columns on phones. */
export const CARD_ROW =
  "grid grid-cols-[minmax(0,1fr)_auto] @max-3xs:grid-cols-1 relative gap-x-4 gap-y-1 border-b border-base-300 p-4 @max-2xl:*:border-0 @max-2xl:*:p-0 last:border-0 @2xl:table-row @2xl:p-0";

type Props = {
  /** The columns' names, each with the classes of its heading if there are any. */
  columns: readonly (readonly [name: string, className?: string])[];
  /** Is another list loading, such as for another filter? */
  isStale?: boolean;
  /** `tbody` elements, with {@link CARD_ROWS}. */
  children: ReactNode;
};

/** A table on wide screens, cards on phones. */
export function CardTable({ columns, isStale = false, children }: Props) {
  return (
    <div
      aria-busy={isStale}
      className={`card @container overflow-x-auto transition-opacity ${isStale ? "opacity-60" : ""}`}
    >
      <table className="table block @2xl:table @2xl:[&_:is(th,td)]:px-2.5 @4xl:[&_:is(th,td)]:px-4">
        <thead className="@max-2xl:sr-only">
          <tr>
            {columns.map(([name, className]) => (
              <th key={name} scope="col" className={className}>
                {name}
              </th>
            ))}
          </tr>
        </thead>
        {children}
      </table>
    </div>
  );
}

/** The title of a row, whose link covers the row. */
export function RowLink({ to, children }: { to: string; children: string }) {
  return (
    <Link
      to={to}
      dir="auto"
      className="link-hover link line-clamp-2 max-w-md text-base font-medium after:absolute after:inset-0 wrap-anywhere @2xl:min-w-24 @2xl:text-sm @6xl:max-w-2xl"
    >
      {children}
    </Link>
  );
}

type ActionsProps = {
  /** The title of the row. */
  title: string;
  /** `MenuItem`s; without any there is no menu. */
  menu: ReactNode[];
  children: ReactNode;
};

/** What can be done with a row: buttons, and a menu with the rest. */
export function RowActions({ title, menu, children }: ActionsProps) {
  return (
    <div className="relative flex w-fit flex-wrap gap-2 @max-2xl:w-full @2xl:flex-nowrap">
      {children}
      {menu.some(Boolean) && (
        <Menu
          label={`More for ${title}`}
          className="btn btn-square btn-ghost @max-2xl:[--size:2.75rem] @2xl:btn-sm"
        >
          {menu}
        </Menu>
      )}
    </div>
  );
}
