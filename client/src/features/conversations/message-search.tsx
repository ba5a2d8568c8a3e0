import { useInfiniteQuery } from "@tanstack/react-query";
import { type Conversation, MESSAGE_LIMITS } from "@tasklane/server/contract";
import { X } from "lucide-react";
import { useState } from "react";
import { plural } from "../../lib/format.ts";
import { problemText } from "../../lib/problem.ts";
import { FormAlert } from "../../ui/form-alert.tsx";
import { LoadMoreButton } from "../../ui/load-more.tsx";
import { SearchForm } from "../../ui/search-form.tsx";
import { Spinner } from "../../ui/state-panel.tsx";
import { foundMessagesQuery } from "./conversation-queries.ts";
import { MessageList } from "./message-list.tsx";

type Props = { conversation: Conversation; onClose: () => void };

/** Searches a conversation. It takes the place of the messages, and the focus, until it is closed. */
export function MessageSearch({ conversation, onClose }: Props) {
  const [search, setSearch] = useState("");
  return (
    <div className="flex min-h-0 grow flex-col gap-3 pt-3">
      <SearchForm
        label="Search messages"
        limit={MESSAGE_LIMITS.search}
        onSearch={setSearch}
        onEscape={onClose}
        takesFocus
      >
        <button
          type="button"
          aria-label="Close search"
          className="btn btn-square btn-ghost btn-sm"
          onClick={onClose}
        >
          <X className="size-4" />
        </button>
      </SearchForm>
      <div className="min-h-0 grow overflow-y-auto">
        {search && <FoundMessages conversation={conversation} search={search} />}
      </div>
    </div>
  );
}

function FoundMessages({ conversation, search }: Pick<Props, "conversation"> & { search: string }) {
  const { data, error, isFetching, hasNextPage, fetchNextPage, refetch } = useInfiniteQuery(
    foundMessagesQuery(conversation._id, search),
  );
  if (!data && isFetching) return <Spinner label="Searching the messages" />;
  const found = data?.pages.flatMap(({ items }) => items).reverse() ?? [];
  return (
    <>
      <FormAlert takesFocus={false}>
        {error && !isFetching && (
          <>
            {problemText(error)}{" "}
            <button type="button" className="link" onClick={() => void refetch()}>
              Try again
            </button>
          </>
        )}
      </FormAlert>
      {data && (
        <p role="status" className="quiet text-sm wrap-anywhere">
          {found.length === 0
            ? `No message contains “${search}”.`
            : `${plural(found.length, "message")} with “${search}”${hasNextPage ? ", and more" : ""}`}
        </p>
      )}
      {hasNextPage && (
        <LoadMoreButton
          text="Show earlier matches"
          busy={isFetching}
          className="btn-ghost btn-sm"
          onClick={() => fetchNextPage()}
        />
      )}
      <MessageList conversation={conversation} messages={found} />
    </>
  );
}
