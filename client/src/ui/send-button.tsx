import type { ReactNode } from "react";
import type { Api } from "../lib/api.ts";
import { useAction } from "../lib/submission.ts";
import { BusyButton } from "./busy-button.tsx";
import { confirm } from "./confirm.ts";
import { FormAlert } from "./form-alert.tsx";

type Props = {
  send: (call: Api["call"]) => Promise<unknown>;
  /** Asked before it is sent. */
  question?: Parameters<typeof confirm>[0];
  className?: string;
  /** Replaces the text while it is being sent. */
  busyText?: string;
  children: ReactNode;
};

/** A button that sends something which has no fields; with the error if that failed. */
export function SendButton({ send, question, className = "", ...button }: Props) {
  const { busy, error, send: start } = useAction(send);
  const press = async () => {
    if (!question || (await confirm(question))) await start();
  };
  return (
    <>
      <FormAlert error={error} />
      <BusyButton {...button} className={`btn ${className}`} busy={busy} onClick={press} />
    </>
  );
}

type AnswerProps = {
  /** What is proposed; a page may ask about several proposals. */
  what: string;
  /** Did the user propose it? Then they can only withdraw it. */
  isOwn: boolean;
  answer: (call: Api["call"], accepted: boolean) => Promise<unknown>;
  /** Asked before it is accepted. */
  question?: Props["question"];
};

/** Accepts or refuses the other side's proposal, or withdraws one's own; with the error if that failed. */
export function AnswerButtons({ what, isOwn, answer, question }: AnswerProps) {
  const { busy, error, send } = useAction(answer);
  const press = async (accepted: boolean) => {
    if (!accepted || !question || (await confirm(question))) await send(accepted);
  };
  const button = (accepted: boolean, text: string, look: string) => (
    <BusyButton
      className={`btn ${look}`}
      aria-label={`${text} the ${what}`}
      busy={busy}
      onClick={() => press(accepted)}
    >
      {text}
    </BusyButton>
  );
  return (
    <>
      <FormAlert error={error} />
      {!isOwn && button(true, "Accept", "btn-primary")}
      {button(false, isOwn ? "Withdraw" : "Refuse", "btn-outline")}
    </>
  );
}
