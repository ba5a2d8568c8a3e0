import { type OwnReview, REVIEW_LIMITS, reviewDraftSchema, type Task } from "@tasklane/server/contract";
import { CircleCheck } from "lucide-react";
import { useState } from "react";
import { Link } from "react-router-dom";
import { removeDraft } from "../../../lib/drafts.ts";
import { formatLocalDate } from "../../../lib/format.ts";
import { paths } from "../../../lib/paths.ts";
import { ApiProblem } from "../../../lib/problem.ts";
import { ContactHint } from "../../../ui/contact-hint.tsx";
import { Field, FieldError, useFormField } from "../../../ui/field.tsx";
import { useNow } from "../../../ui/now.tsx";
import { SchemaForm, useDraft } from "../../../ui/schema-form.tsx";
import { Section } from "../../../ui/section.tsx";
import { Star } from "../../../ui/stars.tsx";

/** Lets the two sides of a completed task review each other once; nothing for others, or if the other side has left. */
export function ReviewPanel({ task }: { task: Task }) {
  const { viewer, reviewDue, otherSideLeft } = task;
  const [isEditing, setIsEditing] = useState(false);
  const now = useNow();
  if (!viewer || !(reviewDue || viewer.hasReviewed)) return null;
  const { review } = viewer;
  const other = viewer.contact?.name ?? (viewer.role === "client" ? "the freelancer" : task.name);
  return (
    <Section
      id="review"
      look="side"
      title={
        viewer.hasReviewed ? (
          "Your review"
        ) : (
          <>
            How was working with <bdi>{other}</bdi>?
          </>
        )
      }
    >
      {viewer.hasReviewed && !isEditing ? (
        <p className="flex items-start gap-2 text-sm">
          <CircleCheck className="size-5 shrink-0 text-success" />
          <span className="min-w-0 wrap-anywhere">
            Thank you: you have reviewed this task.{" "}
            {otherSideLeft ? (
              `Your ${viewer.role === "client" ? "freelancer" : "client"} has deleted their account since, so nobody sees your review anymore.`
            ) : (
              <>
                {review && !review.shown ? "Your review will be shown on " : "Your review is shown on "}
                {viewer.contact ? (
                  <Link to={paths.person(viewer.contact.id)} className="link link-primary">
                    <bdi>{other}</bdi>’s profile
                  </Link>
                ) : (
                  <>
                    the profile of <bdi>{other}</bdi>
                  </>
                )}
                {review && !review.shown
                  ? ` once they have written theirs, or on ${formatLocalDate(review.shownFrom)}.`
                  : "."}
              </>
            )}
          </span>
        </p>
      ) : (
        <ReviewForm taskId={task._id} review={review} onEdited={() => setIsEditing(false)} />
      )}
      {review && !isEditing && now < new Date(review.editableUntil) && (
        <button
          type="button"
          data-focus-home
          className="btn self-start btn-outline btn-sm"
          onClick={() => setIsEditing(true)}
        >
          Edit your review
        </button>
      )}
    </Section>
  );
}

type FormProps = {
  taskId: string;
  /** The review to change; without it the form writes a new one. */
  review: OwnReview | undefined;
  onEdited: () => void;
};

function ReviewForm({ taskId, review, onEdited }: FormProps) {
  const draft = useDraft(`review.${taskId}`);
  return (
    <SchemaForm
      schema={reviewDraftSchema}
      stored={review ?? {}}
      draft={`review.${taskId}`}
      save={async (body, call) => {
        const request = { params: { id: taskId }, body };
        if (review) return call("PUT /tasks/:id/reviews", request);
        try {
          await call("POST /tasks/:id/reviews", request);
        } catch (error) {
          // The response to an earlier attempt was lost, but the review is published.
          if (error instanceof ApiProblem && error.code === "already-reviewed") removeDraft(draft);
          throw error;
        }
      }}
      success={review ? undefined : "Thank you for your review."}
      submit={review ? "Save review" : "Publish review"}
      busy={review ? "Saving…" : "Publishing…"}
      onSaved={onEdited}
      onCancel={review && onEdited}
    >
      <StarField />
      <Field
        name="text"
        label="Review"
        hint={`Everyone can read it, with your name, once both of you have written one or after ${REVIEW_LIMITS.hiddenDays} days.`}
        type="textarea"
        rows={4}
        limit={REVIEW_LIMITS.text}
        required
      />
      <ContactHint fields={["text"]} isPublic />
    </SchemaForm>
  );
}

const STAR_LABELS = ["Poor", "Fair", "Good", "Very good", "Excellent"];

/** One to five stars as radio buttons, so that arrow keys work and each star has a name. */
function StarField() {
  const { id, initial, error } = useFormField("stars");
  const [chosen, setChosen] = useState(Number(initial));
  const [hovered, setHovered] = useState(0);
  const shown = hovered || chosen;
  return (
    <fieldset className="space-y-1.5" aria-describedby={error ? `${id}-error` : undefined}>
      <legend className="text-sm font-semibold">Stars</legend>
      <div className="flex flex-wrap items-center gap-x-3">
        <div className="-ml-1.5 flex flex-wrap" onPointerLeave={() => setHovered(0)}>
          {Array.from({ length: REVIEW_LIMITS.stars }, (_, index) => index + 1).map((stars) => (
            <label
              key={stars}
              className="cursor-pointer rounded-field p-1.5 has-focus-visible:outline-3 has-focus-visible:outline-primary"
              onPointerEnter={() => setHovered(stars)}
            >
              <input
                type="radio"
                name="stars"
                value={stars}
                defaultChecked={String(stars) === initial}
                className="sr-only"
                aria-invalid={error && chosen === 0 ? true : undefined}
                onChange={() => setChosen(stars)}
              />
              <span className="sr-only">
                {stars} {stars === 1 ? "star" : "stars"}, {STAR_LABELS[stars - 1]}
              </span>
              <Star full={stars <= shown} className="size-7" />
            </label>
          ))}
        </div>
        <span aria-hidden="true" className="quiet text-sm">
          {STAR_LABELS[shown - 1] ?? "Choose"}
        </span>
      </div>
      <FieldError id={id} error={error} />
    </fieldset>
  );
}
