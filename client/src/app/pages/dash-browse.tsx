import { SaveSearch } from "../../features/saved-searches/save-search.tsx";
import { DashBrowsePage } from "../../features/tasks/browse/dash-browse-page.tsx";

export { loader } from "../../features/tasks/browse/browse-data.ts";

/** Browse Tasks in the dashboard, with a button to save the search. */
export function Component() {
  return <DashBrowsePage saveSearch={(filters) => <SaveSearch filters={filters} />} />;
}
