import { Link } from "react-router-dom";
import { paths } from "../../lib/paths.ts";
import { PageMeta } from "../../ui/page-head.tsx";

/** For every address without a page. */
export function Component() {
  return (
    <div className="page grid place-items-center gap-6 py-24 text-center">
      <PageMeta title="Error" noindex />
      <div className="space-y-3">
        <h1 className="text-4xl font-semibold sm:text-5xl">404 - Page Not Found</h1>
        <p className="quiet text-lg">Oops! The page you're looking for doesn't exist.</p>
      </div>
      <Link to={paths.home} className="btn btn-primary">
        Go Back Home
      </Link>
    </div>
  );
}
