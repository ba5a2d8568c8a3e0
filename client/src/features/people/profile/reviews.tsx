import { useSuspenseInfiniteQuery } from "@tanstack/react-query";
import type { Review } from "@tasklane/server/contract";
import { MessageSquareText } from "lucide-react";
import { Link } from "react-router-dom";
import { useApi } from "../../../lib/api-context.tsx";
import { firstItems } from "../../../lib/pages.ts";
import { paths } from "../../../lib/paths.ts";
import { problemText } from "../../../lib/problem.ts";
import { Avatar } from "../../../ui/avatar.tsx";
import { FormAlert } from "../../../ui/form-alert.tsx";
import { LoadMoreButton } from "../../../ui/load-more.tsx";
import { PersonLink } from "../../../ui/person-link.tsx";
import { Stars } from "../../../ui/stars.tsx";
import { StatePanel } from "../../../ui/state-panel.tsx";
import { When } from "../../../ui/when.tsx";
import { reviewsQuery } from "../people-queries.ts";

type Props = { personId: string; name: string };

/** Reviews of a person, newest first, page by page. */
export function Reviews({ personId, name }: Props) {
  const { data, error, hasNextPage, isFetchingNextPage, fetchNextPage } = useSuspenseInfiniteQuery(
    reviewsQuery(useApi(), personId),
  );
  const reviews = firstItems(data).items;

  return (
    <section aria-labelledby="reviews" className="space-y-4">
      <h2 id="reviews" className="text-2xl font-semibold">
        Reviews
      </h2>
      {reviews.length === 0 ? (
        <StatePanel
          icon={<MessageSquareText className="size-7" />}
          title="No reviews yet"
          action={
            <Link to={paths.browse} className="btn btn-outline">
              Browse Tasks
            </Link>
          }
        >
          Once a task with {name} is completed, both sides can say how it went.
        </StatePanel>
      ) : (
        <ul className="grid grid-cols-1 gap-4 lg:grid-cols-2">
          {reviews.map((review) => (
            <ReviewCard key={review._id} review={review} />
          ))}
        </ul>
      )}
      <FormAlert takesFocus={false}>{error && !isFetchingNextPage && problemText(error)}</FormAlert>
      {hasNextPage && (
        <div className="flex justify-center">
          <LoadMoreButton
            text="Load more reviews"
            busy={isFetchingNextPage}
            onClick={() => fetchNextPage()}
          />
        </div>
      )}
    </section>
  );
}

function ReviewCard({ review }: { review: Review }) {
  const { author, stars, text, role, taskTitle, createdAt } = review;
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
        For “<bdi>{taskTitle}</bdi>”
      </p>
    </li>
  );
}
