import { LoginPage } from "../../features/account/login-page.tsx";
import { RequestedTask } from "../../features/tasks/requested-task.tsx";

/** Login, with the requested task above the form. */
export function Component() {
  return <LoginPage requested={<RequestedTask />} />;
}
