import type { ReactNode } from "react";
import { formErrorOf, isBusy, sendOrExplain } from "../lib/forms.ts";
import { useSubmission } from "../lib/submission.ts";
import { BusyButton } from "./busy-button.tsx";
import { confirm } from "./confirm.ts";
import { FormAlert } from "./form-alert.tsx";

type Props = {
  send: () => Promise<unknown>;
  /** Asked before it is sent. */
  question?: Parameters<typeof confirm>[0];
  className?: string;
  children: ReactNode;
};

/** A button that sends something which has no fields; with the error if that failed. */
export function SendButton({ send, question, className = "", children }: Props) {
  const sending = useSubmission(() => sendOrExplain(send));
  const start = async () => {
    if (!question || (await confirm(question))) await sending.send();
  };
  return (
    <>
      <FormAlert error={formErrorOf(sending)} />
      <BusyButton className={`btn ${className}`} busy={isBusy(sending)} onClick={start}>
        {children}
      </BusyButton>
    </>
  );
}
