import { SaveSearch } from "../../features/saved-searches/save-search.tsx";
import { DashBrowsePage } from "../../features/tasks/browse/dash-browse-page.tsx";

export { loader } from "../../features/tasks/browse/browse-data.ts";

/** Browse in the dashboard, with the way to save what is searched for. */
export function Component() {
  return <DashBrowsePage saveSearch={(filters) => <SaveSearch filters={filters} />} />;
}
