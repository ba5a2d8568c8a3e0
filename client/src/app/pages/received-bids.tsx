import { Navigate, useParams } from "react-router-dom";
import { paths } from "../../lib/paths.ts";

export { action } from "../../features/bids/received/received-bids-data.ts";

/** Takes what a client does to received bids; no page of its own: whoever opens the address is led to the bids. */
export function Component() {
  return <Navigate to={paths.receivedBids(useParams()["id"] ?? "")} replace />;
}
