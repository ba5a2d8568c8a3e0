import { BID_LIMITS, type Task } from "@tasklane/server/contract";
import type { ReactNode } from "react";
import { formatUsd } from "../../lib/format.ts";
import { formValues, toNumber } from "../../lib/forms.ts";
import { untilTomorrow } from "../../lib/until-tomorrow.ts";
import { ActionForm } from "../../ui/action-form.tsx";
import { ContactHint } from "../../ui/contact-hint.tsx";
import { Field } from "../../ui/field.tsx";
import { useFormText } from "../../ui/use-form-text.ts";
import { FileField } from "../files/file-field.tsx";
import { useFilesOn } from "../files/file-queries.ts";
import { bidFormSchema } from "./bid-queries.ts";
import type { BidSubmission } from "./bid-submission.ts";
import { compareOffer } from "./compare-offer.ts";
import { ScreeningField } from "./screening.tsx";

type Props = {
  task: Task;
  submission: BidSubmission;
  draft: string;
  /** Shown beside the submit button. */
  buttons: ReactNode;
};

const FREE_TEXT_FIELDS = ["message", "answer"];

/** Amount, days, message and screening answer of a new or existing bid. */
export function BidForm({ task, submission, draft, buttons }: Props) {
  const bid = task.viewer?.bid;
  const question = task.screeningQuestion;
  const isFirst = !task.viewer?.hasBid;
  const files = useFilesOn(task, bid?._id);
  return (
    <ActionForm
      submission={{ ...submission, send: (form) => submission.send({ form, isFirst }) }}
      name="bid"
      values={formValues(bidFormSchema, {
        amount: bid?.amount ?? task.budget,
        days: bid?.days,
        message: bid?.message,
        question,
        answer: bid?.question === question ? bid?.answer : "",
        files: files?.map(({ _id }) => _id),
      })}
      draft={draft}
      className="[&_[type=submit]]:grow"
      submit={isFirst ? "Place bid" : "Save bid"}
      busy="Sending…"
      buttons={buttons}
      explain={({ code, message }) => (code === "bid-limit-reached" ? limitReached() : message)}
    >
      {question && <ScreeningField question={question} draft={draft} />}
      <div className="grid fit-columns gap-4">
        <Field
          name="amount"
          label="Amount (USD)"
          hint={`Fixed price: ${formatUsd(task.budget)}`}
          unit="$"
          inputMode="decimal"
          enterKeyHint="next"
          required
        />
        <Field name="days" label="Days to deliver" hint="Optional" inputMode="numeric" enterKeyHint="next" />
      </div>
      <OfferHint task={task} />
      <Field
        name="message"
        label="Message to the client"
        hint="Optional. Only the client reads it."
        type="textarea"
        rows={4}
        limit={BID_LIMITS.message}
      />
      <ContactHint fields={FREE_TEXT_FIELDS} />
      {/* Without it, the bid's files stay as they are. */}
      {(files ?? isFirst) && <FileField label="Attach files" />}
    </ActionForm>
  );
}

/** Message for when the daily bid limit is reached, with the time of its reset. */
export function limitReached(): string {
  return `You have placed as many bids as one day allows. You can bid again ${untilTomorrow()}.`;
}

/** Warns, while typing, of an offer far from what the client asked for. Refuses nothing. */
function OfferHint({ task }: { task: Task }) {
  const { box, text } = useFormText<HTMLParagraphElement>((values) => {
    const amount = toNumber(String(values.get("amount")));
    const days = Math.min(toNumber(String(values.get("days"))), BID_LIMITS.days);
    const { price, isFarAbove, late } = compareOffer(task, { amount, days });
    const warnings = [isFarAbove && price, late].filter(Boolean);
    return warnings.length > 0 ? `Your offer is ${warnings.join(", and ")}.` : "";
  });
  return (
    <p ref={box} role="status" className="text-sm font-medium text-warning empty:hidden">
      {text}
    </p>
  );
}
