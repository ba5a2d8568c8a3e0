import { useEffect, useRef } from "react";
import { useFetcher } from "react-router-dom";
import { PageHeading } from "../../../ui/page-heading.tsx";
import { PageMeta } from "../../../ui/page-meta.tsx";
import { celebrate } from "../../../ui/popup.ts";
import { SubmitButton } from "../../../ui/submit-button.tsx";
import { TaskFields } from "../task-form.tsx";
import type { TaskFormResult } from "../task-form-data.ts";

/** SPEC section 2, Add Task. After a success the form is empty again. */
export function Component() {
  const fetcher = useFetcher<TaskFormResult>();
  const form = useRef<HTMLFormElement>(null);
  const result = fetcher.data;

  useEffect(() => {
    if (!result?.ok) return;
    form.current?.reset();
    void celebrate("Your Add Task Successfully");
  }, [result]);

  return (
    <div className="max-w-3xl space-y-6">
      <PageMeta title="Add Task" />
      <PageHeading title="Add Task">Say what you need, by when, and what you pay for it.</PageHeading>
      <fetcher.Form ref={form} method="post" noValidate className="surface p-6 sm:p-8">
        <TaskFields result={result}>
          <SubmitButton
            busy={fetcher.state === "submitting"}
            busyLabel="Posting…"
            className="justify-self-start"
          >
            Add Task
          </SubmitButton>
        </TaskFields>
      </fetcher.Form>
    </div>
  );
}
