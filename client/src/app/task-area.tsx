import { TaskUntilSignedIn } from "../features/tasks/requested-task.tsx";
import { SignedInArea } from "./sign-in-guard.tsx";

/** A task's page in the public layout. Who follows a shared link reads it until it is known who they are. */
export function Component() {
  return <SignedInArea meanwhile={<TaskUntilSignedIn />} />;
}
