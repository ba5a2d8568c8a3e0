import type { ReactNode } from "react";

type Props = {
  name: string;
  /** Says more about it, in a line of its own. */
  note?: ReactNode;
  className?: string;
  children: ReactNode;
};

/** One fact of a `<dl>`: its name, below it what it is. */
export function Fact({ name, note, className = "", children }: Props) {
  return (
    <div className={`min-w-0 ${className}`}>
      <dt className="quiet text-sm">{name}</dt>
      <dd className="font-semibold wrap-anywhere">
        {children}
        {note && <span className="quiet block text-sm font-normal">{note}</span>}
      </dd>
    </div>
  );
}
