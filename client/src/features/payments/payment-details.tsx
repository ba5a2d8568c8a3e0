import {
  PAYMENT_LIMITS,
  PAYMENT_WAYS,
  type PaymentDetails,
  type PaymentWay,
  paymentDetailsSchema,
  type Task,
} from "@tasklane/server/contract";
import { endpointQuery } from "../../lib/queries.tsx";
import { Fact } from "../../ui/fact.tsx";
import { Field } from "../../ui/field.tsx";
import { SchemaForm } from "../../ui/schema-form.tsx";

/** How the signed-in user is paid. */
export const paymentDetailsQuery = endpointQuery(["me", "payment-details"], "GET /me/payment-details", {});

const WAY_NAMES: Record<PaymentWay, string> = {
  iban: "Bank transfer (IBAN)",
  paypal: "PayPal",
  wise: "Wise",
  link: "Another page",
};

/** Whether the client has yet to pay for a completed task or an accepted milestone, or to pay again. */
export function isUnpaid({ agreed, otherSideLeft }: Pick<Task, "agreed" | "otherSideLeft">): boolean {
  const dues = agreed?.milestones?.slice(0, agreed.accepted) ?? (agreed ? [agreed] : []);
  return !otherSideLeft && dues.some(({ payment }) => !payment || payment.state === "missing");
}

/** How a hired freelancer is paid, for their client. Addresses of pages are links; the rest is text to copy. */
export function PaidBy({ details: { way, value } }: { details: PaymentDetails }) {
  return (
    <dl>
      <Fact name={`Paid by ${WAY_NAMES[way]}`}>
        {value.startsWith("https://") ? (
          <a
            href={value}
            target="_blank"
            rel="nofollow ugc noopener noreferrer"
            dir="ltr"
            className="link font-normal link-primary"
          >
            {value}
            <span className="sr-only"> (opens in a new tab)</span>
          </a>
        ) : (
          <span dir="ltr" className="select-all">
            {way === "iban" ? value.replace(/.{4}(?=.)/g, "$& ") : value}
          </span>
        )}
      </Fact>
    </dl>
  );
}

/** The form in which somebody says how they are paid. */
export function PaymentSettings({ details }: { details: PaymentDetails }) {
  return (
    <SchemaForm
      className="w-full"
      schema={paymentDetailsSchema}
      stored={details}
      draft="payment-details"
      save={(body, call) => call("PUT /me/payment-details", { body })}
      success="Saved."
      submit="Save"
      busy="Saving…"
    >
      <p className="quiet text-sm">
        Clients who have hired you see it, and nobody else. No money moves here: they pay you directly.
      </p>
      <Field name="way" label="Paid by" options={PAYMENT_WAYS.map((way) => [way, WAY_NAMES[way]])} required />
      <Field
        name="value"
        label="Where"
        hint="Your IBAN, the email address of your account, or the address of a page. Leave it empty to remove it."
        limit={PAYMENT_LIMITS.details}
        autoComplete="off"
      />
    </SchemaForm>
  );
}
