import { type ReactNode, useEffect, useRef } from "react";
import { sanitizeSearch } from "../lib/filters.ts";

type Props = {
  /** The name of the field. */
  label: string;
  /** The longest text, in characters. */
  limit: number;
  /** The current search. */
  search?: string | undefined;
  onSearch: (text: string) => void;
  onEscape?: () => void;
  className?: string;
  /** Shown after the button. */
  children?: ReactNode;
};

/** A small form that searches a list: Enter or the button searches for the text, or for "" to show all. */
export function SearchForm({
  label,
  limit,
  search = "",
  onSearch,
  onEscape,
  className = "",
  children,
}: Props) {
  const input = useRef<HTMLInputElement>(null);
  // Another search, perhaps of the back button, replaces what was typed. The input keeps the focus.
  useEffect(() => {
    if (input.current) input.current.value = search;
  }, [search]);
  return (
    // biome-ignore lint/a11y/useSemanticElements: Enter submits a form, which a search element cannot do.
    <form
      role="search"
      className={`flex gap-2 ${className}`}
      onSubmit={(event) => {
        event.preventDefault();
        onSearch(sanitizeSearch(String(new FormData(event.currentTarget).get("search")), limit));
      }}
      onKeyDown={(event) => {
        if (event.key !== "Escape" || !onEscape) return;
        // Otherwise it would also close a dialog around the form.
        event.preventDefault();
        onEscape();
      }}
    >
      <input
        ref={input}
        type="search"
        name="search"
        aria-label={label}
        placeholder={label}
        maxLength={limit}
        defaultValue={search}
        dir="auto"
        className="input input-sm min-w-0 grow"
      />
      <button type="submit" className="btn btn-outline btn-sm">
        Search
      </button>
      {children}
    </form>
  );
}
