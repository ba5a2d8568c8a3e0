import { useLocation, useNavigation, useSearchParams } from "react-router-dom";
import type { Select } from "./reports-data.ts";

/** What narrows a list of the operators'; the address holds it. */
export function ListFilters({ selects }: { selects: readonly Select[] }) {
  const [, setParams] = useSearchParams();
  const { search } = useLocation();
  const { location: next } = useNavigation();
  // What was chosen is shown before its list has arrived.
  const params = new URLSearchParams(next?.search ?? search);
  return (
    <div className="grid grid-cols-2 gap-3 sm:max-w-md">
      {selects.map(({ name, label, options, start }) => (
        <div key={name} className="space-y-1.5">
          <label htmlFor={`list-${name}`} className="block text-sm font-semibold">
            {label}
          </label>
          <select
            id={`list-${name}`}
            className="select w-full"
            value={params.get(name) ?? start}
            onChange={({ target }) => {
              params.set(name, target.value);
              params.delete("shown");
              setParams(params);
            }}
          >
            {options.map(([value, text]) => (
              <option key={value} value={value}>
                {text}
              </option>
            ))}
          </select>
        </div>
      ))}
    </div>
  );
}
