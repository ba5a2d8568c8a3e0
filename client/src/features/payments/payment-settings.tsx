import { useQueryClient } from "@tanstack/react-query";
import {
  PAYMENT_LIMITS,
  PAYMENT_WAYS,
  type PaymentDetails,
  paymentDetailsSchema,
} from "@tasklane/server/contract";
import { useApi } from "../../lib/api-context.tsx";
import { formValues, submitForm } from "../../lib/forms.ts";
import { useSubmission } from "../../lib/submission.ts";
import { ActionForm, useDraft } from "../../ui/action-form.tsx";
import { Field } from "../../ui/field.tsx";
import { notify } from "../../ui/notify.tsx";
import { paymentDetailsQuery, WAY_NAMES } from "./payment-queries.ts";

/** The form in which somebody says how they are paid. */
export function PaymentSettings({ details }: { details: PaymentDetails }) {
  const api = useApi();
  const queryClient = useQueryClient();
  const draft = useDraft("payment-details");
  const saving = useSubmission((form: FormData) =>
    submitForm(form, paymentDetailsSchema, async (body, idempotencyKey) => {
      const { data } = await api.call("PUT /me/payment-details", { body, idempotencyKey });
      queryClient.setQueryData(paymentDetailsQuery(api).queryKey, data);
      return {};
    }),
  );
  return (
    <ActionForm
      className="w-full"
      submission={saving}
      name="payment-details"
      values={formValues(paymentDetailsSchema, details)}
      draft={draft}
      submit="Save"
      busy="Saving…"
      onResult={({ ok }) => {
        if (ok) notify.success("Saved.", { topic: "payment-details" });
      }}
    >
      <p className="quiet text-sm">
        Clients who have hired you see it, and nobody else. No money moves here: they pay you directly.
      </p>
      <Field name="way" label="Paid by" options={PAYMENT_WAYS.map((way) => [way, WAY_NAMES[way]])} />
      <Field
        name="value"
        label="Where"
        hint="Your IBAN, the email address of your account, or the address of a page. Empty removes it."
        limit={PAYMENT_LIMITS.details}
        autoComplete="off"
      />
    </ActionForm>
  );
}
