import { Navigate, useParams } from "react-router-dom";
import { paths } from "../../lib/paths.ts";

/** The inbox's loader and action have an address, but no page: whoever opens it is led to the inbox itself. */
export function Component() {
  return <Navigate to={paths.inbox(useParams()["id"] ?? "")} replace />;
}
