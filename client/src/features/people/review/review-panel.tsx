import { mayAct, REVIEW_LIMITS, type Task } from "@tasklane/server/contract";
import { CircleCheck } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { Link, useFetcher } from "react-router-dom";
import { useAuth } from "../../../auth/auth-context.tsx";
import { LogInAgain } from "../../../auth/log-in-again.tsx";
import { readDraft, removeDraft, writeDraft } from "../../../lib/drafts.ts";
import { formErrorOf } from "../../../lib/forms.ts";
import { paths } from "../../../lib/paths.ts";
import { FormAlert } from "../../../ui/form-alert.tsx";
import { notify } from "../../../ui/notify.tsx";
import { Field, focusFirstInvalid } from "../../../ui/old-field.tsx";
import { SubmitButton } from "../../../ui/submit-button.tsx";
import { useSingleSubmit } from "../../../ui/use-single-submit.ts";
import { type ReviewResult, reviewDraftKey } from "./review-action.ts";
import { StarChoice } from "./star-choice.tsx";

/** Lets the two sides of a completed task review each other, once each; nothing for anybody else. */
export function ReviewPanel({ task }: { task: Task }) {
  const { viewer, state } = task;
  if (!viewer || !mayAct("review", viewer.role, state)) return null;
  const other = viewer.contact?.name ?? (viewer.role === "client" ? "the freelancer" : task.name);
  return (
    <section className="surface space-y-4 p-6" aria-labelledby="review">
      <h2 id="review" className="text-lg font-semibold wrap-anywhere">
        {viewer.hasReviewed ? "Your review" : `How was it with ${other}?`}
      </h2>
      {viewer.hasReviewed ? (
        <p className="flex items-start gap-2 text-sm">
          <CircleCheck aria-hidden="true" className="size-5 shrink-0 text-success" />
          <span className="min-w-0 wrap-anywhere">
            Thank you: you have reviewed this task. Your review stands on{" "}
            {viewer.contact ? (
              <Link to={paths.person(viewer.contact.id)} className="link link-primary">
                {other}’s profile
              </Link>
            ) : (
              `the profile of ${other}`
            )}
            .
          </span>
        </p>
      ) : (
        <ReviewForm taskId={task._id} />
      )}
    </section>
  );
}

/** Stars and a text. Its fields are uncontrolled and kept as a draft: nothing typed is lost, whatever the server says. */
function ReviewForm({ taskId }: { taskId: string }) {
  const { user } = useAuth();
  const fetcher = useFetcher<ReviewResult>();
  const result = fetcher.data;
  const failure = formErrorOf(fetcher);
  const form = useRef<HTMLFormElement>(null);
  const submitOnce = useSingleSubmit(fetcher.state === "idle" || failure !== undefined, result);
  const key = reviewDraftKey(user?.uid ?? "", taskId);
  const [draft] = useState(() => readDraft(key));

  useEffect(() => {
    if (!result) return;
    if (!result.ok) {
      // The answer to an earlier try was lost: it is published.
      if (result.code === "already-reviewed") removeDraft(key);
      return focusFirstInvalid(form.current);
    }
    removeDraft(key);
    notify.success("Thank you. Your review is published.");
  }, [result, key]);

  const keep = () => {
    if (!form.current) return;
    const data = new FormData(form.current);
    writeDraft(key, { stars: String(data.get("stars") ?? ""), text: String(data.get("text") ?? "") });
  };

  return (
    <fetcher.Form
      ref={form}
      method="post"
      action={paths.review(taskId)}
      noValidate
      className="grid grid-cols-1 gap-4"
      onInput={keep}
      onSubmit={submitOnce}
    >
      <StarChoice initial={Number(draft?.["stars"] ?? 0)} error={failure?.fieldErrors["stars"]} />
      <Field
        idPrefix="review"
        name="text"
        label="Review"
        error={failure?.fieldErrors["text"]}
        limit={REVIEW_LIMITS.text}
        hint="Everybody can read it, with your name."
      >
        {(control) => (
          <textarea
            {...control}
            className="textarea min-h-28 w-full"
            required
            defaultValue={draft?.["text"]}
          />
        )}
      </Field>
      <FormAlert>
        {failure && (
          <>
            {failure.message} {failure.sessionOver && <LogInAgain />}
          </>
        )}
      </FormAlert>
      <SubmitButton busy={fetcher.state === "submitting"} busyLabel="Publishing…">
        Publish review
      </SubmitButton>
    </fetcher.Form>
  );
}
