import type { ReactNode } from "react";
import { paths } from "../../lib/paths.ts";
import { PageMeta } from "../../ui/page-head.tsx";
import { StatePanel } from "../../ui/state-panel.tsx";

/** Shown to everybody but the client in place of a page about their own task. */
export function NotYourTask({ title, children }: { title: string; children: ReactNode }) {
  return (
    <>
      <PageMeta title={title} />
      <StatePanel
        heading="h1"
        tone="error"
        title="This task belongs to someone else"
        link={{ to: paths.myTasks, text: "My Posted Tasks" }}
      >
        {children}
      </StatePanel>
    </>
  );
}
