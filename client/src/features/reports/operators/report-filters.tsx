import { useLocation, useNavigation, useSearchParams } from "react-router-dom";
import { REASON_OPTIONS } from "../report-queries.ts";
import { STATES } from "./reports-data.ts";

const SELECTS = [
  { name: "state", label: "Show", options: Object.entries(STATES), start: "open" },
  { name: "reason", label: "Reason", options: [["", "All reasons"] as const, ...REASON_OPTIONS], start: "" },
] as const;

/** State and reason of the reports; the address holds them. */
export function ReportFilters() {
  const [, setParams] = useSearchParams();
  const { search } = useLocation();
  const { location: next } = useNavigation();
  // What was chosen is shown before its list has arrived.
  const params = new URLSearchParams(next?.search ?? search);
  return (
    <div className="grid grid-cols-2 gap-3 sm:max-w-md">
      {SELECTS.map(({ name, label, options, start }) => (
        <div key={name} className="space-y-1.5">
          <label htmlFor={`reports-${name}`} className="block text-sm font-semibold">
            {label}
          </label>
          <select
            id={`reports-${name}`}
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
