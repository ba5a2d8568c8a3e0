import type { ReactNode } from "react";
import { formErrorOf, isBusy, sendOrExplain } from "../lib/forms.ts";
import { useSubmission } from "../lib/submission.ts";
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
  const busy = isBusy(sending);
  const start = async () => {
    if (!busy && (!question || (await confirm(question)))) await sending.send();
  };
  return (
    <>
      <FormAlert error={formErrorOf(sending)} />
      <button
        type="button"
        className={`btn ${className}`}
        aria-disabled={busy || undefined}
        onClick={() => void start()}
      >
        {children}
      </button>
    </>
  );
}
