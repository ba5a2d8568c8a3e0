import { type FormResult, formErrorOf, isBusy } from "../lib/forms.ts";
import { BusyButton } from "./busy-button.tsx";
import { FormAlert } from "./form-alert.tsx";

type Props = {
  /** Did the user propose it? Then they can only withdraw it. */
  isOwn: boolean;
  submission: { state: string; data: FormResult | undefined };
  onAnswer: (accepted: boolean) => void;
};

/** Accepts or refuses the other side's proposal, or withdraws one's own; with the error if that failed. */
export function AnswerButtons({ isOwn, submission, onAnswer }: Props) {
  const button = (accepted: boolean, text: string, look: string) => (
    <BusyButton className={`btn ${look}`} busy={isBusy(submission)} onClick={() => onAnswer(accepted)}>
      {text}
    </BusyButton>
  );
  return (
    <>
      <FormAlert error={formErrorOf(submission)} />
      {!isOwn && button(true, "Accept", "btn-primary")}
      {button(false, isOwn ? "Withdraw" : "Refuse", "btn-outline")}
    </>
  );
}
