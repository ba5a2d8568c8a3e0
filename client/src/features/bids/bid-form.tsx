import { useQueryClient } from "@tanstack/react-query";
import { BID_LIMITS, bidDraftSchema, paragraph, type Task, usd } from "@tasklane/server/contract";
import { useState } from "react";
import * as z from "zod/mini";
import { readDraft } from "../../lib/drafts.ts";
import { formatUsd, untilTomorrow } from "../../lib/format.ts";
import { toNumber } from "../../lib/forms.ts";
import { ApiProblem } from "../../lib/problem.ts";
import { useApi } from "../../lib/queries.tsx";
import { refetchActive } from "../../lib/submission.ts";
import { ContactHint, useFormText } from "../../ui/contact-hint.tsx";
import { Field } from "../../ui/field.tsx";
import { notify } from "../../ui/notify.tsx";
import { SchemaForm, useDraft } from "../../ui/schema-form.tsx";
import { useAttachedFiles } from "../files/attached-files.ts";
import { FileField } from "../files/file-field.tsx";
import { taskQuery } from "../tasks/task-queries.ts";
import { compareOffer } from "./bid-parts.tsx";

/** Unlike in the API's schema, the amount is required: there an empty one means "unchanged". */
const bidFormSchema = z.extend(z.omit(bidDraftSchema, { question: true }), { amount: usd("Amount") });
/** The same for a task with a screening question. */
const screenedBidFormSchema = z.extend(bidFormSchema, { answer: paragraph("Answer", BID_LIMITS.answer) });

/** What is said about a new bid. */
export const BID_SENT = "Your bid is in. The client can see it now.";

/** Sends the viewer's bid on a task. */
export function useSendBid(id: string) {
  const api = useApi();
  const queryClient = useQueryClient();
  return async (bid: Omit<Parameters<typeof api.call<"PATCH /tasks/:id/bid">>[1], "params">) => {
    // What was said about an earlier attempt.
    notify.dismiss(`bid-${id}`);
    try {
      return await api.call("PATCH /tasks/:id/bid", { params: { id }, ...bid });
    } catch (error) {
      // It may be about a screening question that this page has not loaded yet.
      if (error instanceof ApiProblem && error.status === 422)
        await queryClient.invalidateQueries({ queryKey: taskQuery(id).queryKey });
      throw error;
    }
  };
}

type Props = { task: Task; onSaved: () => void; onLeave: () => void };

const FREE_TEXT_FIELDS = ["message", "answer"];

/** Amount, days, message and screening answer of a new or existing bid. */
export function BidForm({ task, onSaved, onLeave }: Props) {
  const { _id: id, viewer, screeningQuestion: question } = task;
  const queryClient = useQueryClient();
  const send = useSendBid(id);
  const bid = viewer?.bid;
  const isFirst = !viewer?.hasBid;
  const draft = `bid.${id}`;
  const files = useAttachedFiles({ task, on: bid?._id, by: "freelancer", draft, isFirst });
  // Without the field, the bid's files stay as they are.
  const hasFiles = files.known !== undefined;
  const schema = question ? screenedBidFormSchema : bidFormSchema;
  return (
    <SchemaForm
      schema={hasFiles ? schema : (z.omit(schema, { files: true }) as typeof schema)}
      stored={{
        amount: bid?.amount ?? task.budget,
        days: bid?.days,
        message: bid?.message,
        answer: bid?.question === question ? bid?.answer : "",
        files: files.stored,
      }}
      draft={draft}
      basis={{ question, files: files.known }}
      save={async ({ files: chosen, ...terms }) => {
        const attached = chosen && { files: await files.withOthers(chosen) };
        // With the question, so that no answer ends up at another one.
        await send({ body: { ...terms, ...attached, question }, isRepeatable: true });
        if (chosen) files.setKnown(chosen);
        notify.success(isFirst ? BID_SENT : "Your bid is saved.", { topic: `bid-${id}` });
        // The form stays until the page shows the bid: otherwise Bid Now would reappear for a moment.
        await refetchActive(queryClient);
      }}
      className="[&_[type=submit]]:grow"
      submit={isFirst ? "Place bid" : "Save bid"}
      onSaved={onSaved}
      onBack={isFirst ? onLeave : undefined}
      onCancel={isFirst ? undefined : onLeave}
      cancel="Keep as is"
      explain={({ code, message }) => (code === "bid-limit-reached" ? limitReached() : message)}
    >
      {question && <ScreeningField question={question} draft={draft} />}
      <div className="grid fit-columns gap-4">
        <Field
          name="amount"
          label="Amount (USD)"
          hint={`Fixed price: ${formatUsd(task.budget)}`}
          unit="$"
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
      {hasFiles && <FileField label="Attach files" />}
    </SchemaForm>
  );
}

/** Message for when the daily bid limit is reached, with the time of its reset. */
export function limitReached(): string {
  return `You have placed as many bids as one day allows. You can bid again ${untilTomorrow()}.`;
}

/** The screening question with a field for the answer. */
function ScreeningField({ question, draft: draftName }: { question: string; draft: string }) {
  const draft = useDraft(draftName);
  // The client can change the question while the answer is being written, or between two visits.
  const [initialQuestion] = useState(
    () => (readDraft(draft)?.basis as { question?: string } | undefined)?.question ?? question,
  );
  return (
    <Field
      name="answer"
      label={question}
      hint={
        <>
          The client asks everybody who bids. Only they read your answer.
          <span role="status" className="block font-medium text-base-content">
            {initialQuestion !== question &&
              "The client has changed this question since you began to write. Does your answer still fit?"}
          </span>
        </>
      }
      type="textarea"
      rows={3}
      limit={BID_LIMITS.answer}
      required
    />
  );
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
    <p ref={box} role="status" className="text-sm font-medium text-warning empty:absolute">
      {text}
    </p>
  );
}
