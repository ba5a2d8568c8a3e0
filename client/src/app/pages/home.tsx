import { HomePage } from "../../features/home/home-page.tsx";
import { FeaturedTasks } from "../../features/tasks/featured-tasks.tsx";

export { loader } from "../../features/tasks/featured-tasks.tsx";

/** Home, with the grid of featured tasks. */
export function Component() {
  return <HomePage featured={<FeaturedTasks />} />;
}
