import { useInfiniteQuery } from "@tanstack/react-query";
import { type Conversation, MESSAGE_LIMITS } from "@tasklane/server/contract";
import { X } from "lucide-react";
import { useState } from "react";
import { plural } from "../../lib/format.ts";
import { LoadFailure } from "../../ui/load-failure.tsx";
import { LoadMoreButton } from "../../ui/load-more.tsx";
import { SearchForm } from "../../ui/search-form.tsx";
import { Spinner } from "../../ui/state-panel.tsx";
import { foundMessagesQuery } from "./conversation-queries.ts";
import { MessageList } from "./message-list.tsx";

const focusOnField = (box: HTMLElement | null) => box?.querySelector("input")?.focus();

type SearchProps = { conversation: Conversation; onClose: () => void };

/** Searches a conversation. It takes the place of the messages, and the focus, until it is closed. */
export function MessageSearch({ conversation, onClose }: SearchProps) {
  const [search, setSearch] = useState("");
  return (
    <div ref={focusOnField} className="flex min-h-24 grow basis-0 flex-col gap-3 pt-3">
      <SearchForm
        label="Search messages"
        limit={MESSAGE_LIMITS.search}
        onSearch={setSearch}
        onEscape={onClose}
      >
        <button
          type="button"
          aria-label="Close search"
          className="btn btn-square btn-ghost btn-sm"
          onClick={onClose}
        >
          <X />
        </button>
      </SearchForm>
      <div className="min-h-0 grow overflow-y-auto">
        {search && <FoundMessages conversation={conversation} search={search} />}
      </div>
    </div>
  );
}

function FoundMessages({ conversation, search }: Pick<SearchProps, "conversation"> & { search: string }) {
  const list = useInfiniteQuery(foundMessagesQuery(conversation._id, search));
  const { data, isFetching, hasNextPage } = list;
  if (!data && isFetching) return <Spinner label="Searching the messages" />;
  const found = data?.pages.flatMap(({ items }) => items).reverse() ?? [];
  return (
    <>
      <LoadFailure list={list} look="link" />
      {data && (
        <p role="status" className="quiet text-sm wrap-anywhere">
          {found.length === 0
            ? `No message contains “${search}”.`
            : `${plural(found.length, "message")} with “${search}”${hasNextPage ? ", and more" : ""}`}
        </p>
      )}
      <LoadMoreButton list={list} text="Show earlier matches" className="btn-ghost btn-sm" />
      <MessageList conversation={conversation} messages={found} />
    </>
  );
}
