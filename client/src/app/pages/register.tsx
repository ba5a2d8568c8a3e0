import { RegisterPage } from "../../features/account/register-page.tsx";
import { RequestedTask } from "../../features/tasks/requested-task.tsx";

export { action } from "../../features/account/register-page.tsx";

/** Register, with the requested task above the form. */
export function Component() {
  return <RegisterPage requested={<RequestedTask />} />;
}
