import { BID_LIMITS, MAX_USD } from "@tasklane/server/contract";
import { type ReactNode, useEffect, useRef } from "react";
import type { FetcherWithComponents } from "react-router-dom";
import { removeDraft, writeDraft } from "../../lib/drafts.ts";
import { formatUsd } from "../../lib/format.ts";
import { formErrorOf } from "../../lib/forms.ts";
import { Field, focusFirstInvalid } from "../../ui/old-field.tsx";
import { SubmitButton } from "../../ui/submit-button.tsx";
import { useSingleSubmit } from "../../ui/use-single-submit.ts";
import type { BidResult } from "./bid-action.ts";
import { type BidFormValues, readBidForm } from "./bid-form-data.ts";

type Props = {
  fetcher: FetcherWithComponents<BidResult>;
  /** `offer` for a first bid, `change` for the own one. */
  intent: "offer" | "change";
  /** What the fields start with where there is no draft. */
  stored: BidFormValues;
  draft: Partial<BidFormValues> | null;
  draftKey: string;
  /** The task's fixed price in USD. */
  budget: number;
  /** Stands beside the submit button. */
  children: ReactNode;
};

/** Amount, days and message of a bid. Uncontrolled: what was typed stays until it is saved, also over a reload. */
export function BidForm({ fetcher, intent, stored, draft, draftKey, budget, children }: Props) {
  const form = useRef<HTMLFormElement>(null);
  const result = fetcher.data;
  const refusal = formErrorOf(fetcher);
  const errors = refusal?.fieldErrors ?? {};
  const submitOnce = useSingleSubmit(fetcher.state === "idle" || refusal !== undefined, result);
  const values = { ...stored, ...draft };

  useEffect(() => {
    if (result && !result.ok) focusFirstInvalid(form.current);
  }, [result]);

  const keep = () => {
    if (!form.current) return;
    const now = readBidForm(new FormData(form.current));
    if (JSON.stringify(now) === JSON.stringify(stored)) removeDraft(draftKey);
    else writeDraft(draftKey, now);
  };

  return (
    <fetcher.Form
      ref={form}
      method="post"
      noValidate
      className="grid grid-cols-1 gap-4"
      onInput={keep}
      onSubmit={submitOnce}
    >
      <input type="hidden" name="intent" value={intent} />
      <div className="grid grid-cols-2 gap-4">
        <Field
          name="amount"
          idPrefix="bid"
          label="Amount (USD)"
          error={errors["amount"]}
          hint={`Fixed price: ${formatUsd(budget)}`}
        >
          {(control) => (
            <span className="input w-full">
              <span aria-hidden="true">$</span>
              <input
                {...control}
                type="number"
                inputMode="decimal"
                required
                min="0.01"
                max={MAX_USD}
                step="0.01"
                defaultValue={values.amount}
              />
            </span>
          )}
        </Field>
        <Field name="days" idPrefix="bid" label="Days to deliver" error={errors["days"]} hint="Optional">
          {(control) => (
            <input
              {...control}
              type="number"
              inputMode="numeric"
              className="input w-full"
              min="1"
              max={BID_LIMITS.days}
              step="1"
              defaultValue={values.days}
            />
          )}
        </Field>
      </div>
      <Field
        name="message"
        idPrefix="bid"
        label="Message to the client"
        error={errors["message"]}
        limit={BID_LIMITS.message}
        hint="Optional. Only the client reads it."
      >
        {(control) => (
          <textarea {...control} className="textarea min-h-28 w-full" defaultValue={values.message} />
        )}
      </Field>
      <div className="flex flex-wrap gap-3">
        <SubmitButton busy={fetcher.state === "submitting"} busyLabel="Sending…">
          {intent === "offer" ? "Place this bid" : "Save bid"}
        </SubmitButton>
        {children}
      </div>
    </fetcher.Form>
  );
}
