import { formErrorOf, isBusy, sendOrExplain } from "../lib/forms.ts";
import { useSubmission } from "../lib/submission.ts";
import { BusyButton } from "./busy-button.tsx";
import { FormAlert } from "./form-alert.tsx";

type Props = {
  /** Did the user propose it? Then they can only withdraw it. */
  isOwn: boolean;
  answer: (accepted: boolean) => Promise<unknown>;
};

/** Accepts or refuses the other side's proposal, or withdraws one's own; with the error if that failed. */
export function AnswerButtons({ isOwn, answer }: Props) {
  const answering = useSubmission((accepted: boolean) => sendOrExplain(() => answer(accepted)));
  const button = (accepted: boolean, text: string, look: string) => (
    <BusyButton className={`btn ${look}`} busy={isBusy(answering)} onClick={() => answering.send(accepted)}>
      {text}
    </BusyButton>
  );
  return (
    <>
      <FormAlert error={formErrorOf(answering)} />
      {!isOwn && button(true, "Accept", "btn-primary")}
      {button(false, isOwn ? "Withdraw" : "Refuse", "btn-outline")}
    </>
  );
}
