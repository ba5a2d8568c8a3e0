import { RegisterPage } from "../../features/account/register-page.tsx";
import { RequestedTask } from "../../features/tasks/requested-task.tsx";

/** Register, with the requested task above the form. */
export function Component() {
  return <RegisterPage requested={<RequestedTask />} />;
}
