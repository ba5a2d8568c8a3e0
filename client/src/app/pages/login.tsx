import { LoginPage } from "../../features/account/login-page.tsx";
import { WantedTask } from "../../features/tasks/wanted-task.tsx";

export { action } from "../../features/account/login-page.tsx";

/** Login, with the task that somebody came for above the form. */
export function Component() {
  return <LoginPage wanted={<WantedTask />} />;
}
