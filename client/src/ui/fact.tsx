import type { ReactNode } from "react";

type Props = {
  name: string;
  /** Details, on a separate line. */
  note?: ReactNode;
  className?: string;
  children: ReactNode;
};

/** An entry of a `<dl>`: its name with the value below. */
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
