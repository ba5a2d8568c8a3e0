import { RegisterPage } from "../../features/account/register-page.tsx";
import { WantedTask } from "../../features/tasks/wanted-task.tsx";

export { action } from "../../features/account/register-page.tsx";

/** Register, with the task that somebody came for above the form. */
export function Component() {
  return <RegisterPage wanted={<WantedTask />} />;
}
