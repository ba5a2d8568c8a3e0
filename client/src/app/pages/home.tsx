import { useLoaderData } from "react-router-dom";
import { HomePage } from "../../features/home/home-page.tsx";
import type { FeaturedData } from "../../features/tasks/featured/featured-data.ts";
import { FeaturedTasks } from "../../features/tasks/featured/featured-tasks.tsx";

/** Home, with the grid of featured tasks in its place. */
export function Component() {
  const { featured } = useLoaderData<FeaturedData>();
  return <HomePage featured={<FeaturedTasks featured={featured} />} />;
}
