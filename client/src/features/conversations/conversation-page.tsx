import { useParams } from "react-router-dom";
import { Thread } from "./thread.tsx";

export { threadLoader as loader } from "./messages-data.ts";

/** A conversation, next to the list of conversations; on phones a page of its own. */
export function Component() {
  const id = useParams()["id"] ?? "";
  return <Thread key={id} id={id} isPage />;
}
