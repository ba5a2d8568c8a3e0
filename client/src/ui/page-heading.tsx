import type { ReactNode } from "react";

/** A page's one h1, a line below it, and actions beside it. */
export function PageHeading({
  title,
  children,
  action,
}: {
  title: string;
  children?: ReactNode;
  action?: ReactNode;
}) {
  return (
    <header className="flex flex-wrap items-end justify-between gap-4">
      <div className="max-w-2xl min-w-0 space-y-2">
        <h1 className="text-3xl font-semibold wrap-anywhere sm:text-4xl">{title}</h1>
        {children && <p className="quiet text-base sm:text-lg">{children}</p>}
      </div>
      {action}
    </header>
  );
}
