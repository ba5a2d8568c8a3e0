import { MailWarning } from "lucide-react";
import { StateMark } from "./state-mark.tsx";

/** Stands beside an email address that nobody has proved to be theirs yet. */
export function UnverifiedMark() {
  return (
    <StateMark tone="notable" icon={<MailWarning />} wraps>
      not verified
    </StateMark>
  );
}
