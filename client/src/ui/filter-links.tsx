import { Link, useSearchParams } from "react-router-dom";

type Props = {
  label: string;
  /** The parameter of the URL that the links set; without it, everything is shown. */
  param: string;
  /** The values with their texts, and how many there are if that is known. */
  options: readonly (readonly [value: string, text: string, count?: number])[];
  current: string | undefined;
};

/** Links that filter a list through the URL; "All" is the first. */
export function FilterLinks({ label, param, options, current }: Props) {
  const [params] = useSearchParams();
  const searchOf = (value: string) => {
    const search = new URLSearchParams(params);
    search.delete("shown");
    search.delete(param);
    if (value) search.set(param, value);
    return String(search);
  };
  return (
    <nav aria-label={label}>
      <ul className="flex flex-wrap gap-2">
        {[["", "All"] as const, ...options].map(([value, text, count]) => (
          <li key={value}>
            <Link
              to={{ search: searchOf(value) }}
              aria-current={value === (current ?? "") ? "true" : undefined}
              className="btn btn-outline btn-sm aria-[current=true]:btn-primary"
            >
              {text}{" "}
              {count !== undefined && <span className="tabular-nums">{count.toLocaleString("en-US")}</span>}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}
