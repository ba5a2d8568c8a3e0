import { SaveSearch } from "../../features/saved-searches/save-search.tsx";
import { BrowsePage } from "../../features/tasks/browse/browse-page.tsx";

export { loader } from "../../features/tasks/browse/browse-data.ts";

/** Browse Tasks, with a button to save the search. */
export function Component() {
  return <BrowsePage saveSearch={(filters) => <SaveSearch filters={filters} />} />;
}
