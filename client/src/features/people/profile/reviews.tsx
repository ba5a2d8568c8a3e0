import { useSuspenseInfiniteQuery } from "@tanstack/react-query";
import { REVIEW_LIMITS, type Review, reviewReplySchema } from "@tasklane/server/contract";
import { MessageSquareText } from "lucide-react";
import { Link } from "react-router-dom";
import { useAuth } from "../../../auth/session.tsx";
import { firstItems } from "../../../lib/pages.ts";
import { paths } from "../../../lib/paths.ts";
import { problemText } from "../../../lib/problem.ts";
import { FormAlert } from "../../../ui/form-alert.tsx";
import { LoadMoreButton } from "../../../ui/load-more.tsx";
import { When } from "../../../ui/now.tsx";
import { Avatar, PersonLink } from "../../../ui/person.tsx";
import { Section } from "../../../ui/section.tsx";
import { Stars } from "../../../ui/stars.tsx";
import { StatePanel } from "../../../ui/state-panel.tsx";
import { TextForm } from "../../../ui/text-form.tsx";
import { reviewsQuery } from "../people-queries.ts";

type Props = { personId: string; name: string };

/** Reviews of a person, newest first, page by page. */
export function Reviews({ personId, name }: Props) {
  const list = useSuspenseInfiniteQuery(reviewsQuery(personId));
  const { error, isFetchingNextPage } = list;
  const reviews = firstItems(list.data).items;
  const isOwn = useAuth().user?.uid === personId;

  return (
    <Section id="reviews" look="page" title="Reviews">
      {reviews.length === 0 ? (
        <StatePanel
          icon={<MessageSquareText />}
          title="No reviews yet"
          action={
            <Link to={paths.browse} className="btn btn-outline">
              Browse Tasks
            </Link>
          }
        >
          Once a task {isOwn ? "of yours" : `with ${name}`} is completed, both sides can say how it went.
        </StatePanel>
      ) : (
        <ul className="grid grid-cols-1 gap-4 lg:grid-cols-2">
          {reviews.map((review) => (
            <ReviewCard key={review._id} review={review} personId={personId} name={name} />
          ))}
        </ul>
      )}
      <FormAlert takesFocus={false}>{error && !isFetchingNextPage && problemText(error)}</FormAlert>
      <LoadMoreButton list={list} text="Load more reviews" className="mx-auto flex w-fit btn-outline" />
    </Section>
  );
}

type CardProps = Props & { review: Review };

function ReviewCard({ review, personId, name }: CardProps) {
  const { author, stars, text, role, taskTitle, createdAt, reply, endedByDecision } = review;
  return (
    <li className="card card-body gap-3">
      <div className="flex flex-wrap items-center gap-3">
        <Avatar name={author.name} src={author.image} />
        <div className="min-w-0 flex-1 basis-32">
          <p className="font-medium wrap-anywhere">
            <PersonLink id={author.id} name={author.name} />
          </p>
          <p className="quiet text-sm">
            {role === "client" ? "Client" : "Freelancer"} · <When at={createdAt} />
          </p>
        </div>
      </div>
      <p>
        <Stars stars={stars} />
      </p>
      <p dir="auto" className="leading-relaxed wrap-anywhere whitespace-pre-line">
        {text}
      </p>
      <p className="quiet text-sm wrap-anywhere">
        For “<bdi>{taskTitle}</bdi>”{endedByDecision && ", ended by an operator’s decision"}
      </p>
      {reply ? (
        <div className="border-s-2 border-base-300 ps-3">
          <p className="text-sm font-semibold wrap-anywhere">
            Reply from <bdi>{name}</bdi> · <When at={reply.createdAt} />
          </p>
          <p dir="auto" className="wrap-anywhere whitespace-pre-line">
            {reply.text}
          </p>
        </div>
      ) : (
        <Reply review={review} personId={personId} />
      )}
    </li>
  );
}

/** Lets the reviewed person reply to a review, once. */
function Reply({ review: { _id, author }, personId }: Pick<CardProps, "review" | "personId">) {
  const { user } = useAuth();
  if (user?.uid !== personId) return null;
  return (
    <TextForm
      schema={reviewReplySchema}
      save={(body, call) => call("PUT /me/reviews/:id/reply", { params: { id: _id }, body })}
      label="Your reply"
      hint="Everyone can read it. You can reply once."
      limit={REVIEW_LIMITS.reply}
      isPublic
      draft={`reply.${_id}`}
      submit="Publish reply"
      busy="Publishing…"
      closed={(open) => (
        <button
          type="button"
          className="btn self-start btn-outline btn-sm"
          aria-label={`Reply to ${author.name}`}
          onClick={open}
        >
          Reply
        </button>
      )}
    />
  );
}
