import type { ReactNode } from "react";

/** One of the dashboard's figures: its title, what it says in a sentence, and the chart. */
export function Figure({
  title,
  summary,
  children,
}: {
  title: string;
  summary: string;
  children: ReactNode;
}) {
  return (
    <section aria-label={title} className="card card-body min-w-0 gap-4">
      <div className="space-y-1">
        <h2 className="text-lg font-semibold">{title}</h2>
        <p className="quiet text-sm">{summary}</p>
      </div>
      {children}
    </section>
  );
}

/** Forced colours would take all bars for the page's background. */
export const BAR = "forced-color-adjust-none";
