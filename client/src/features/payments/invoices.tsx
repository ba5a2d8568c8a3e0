import { useQueryClient } from "@tanstack/react-query";
import {
  addDays,
  INVOICE_LIMITS,
  type InvoiceList,
  invoiceDraftSchema,
  type Task,
} from "@tasklane/server/contract";
import { DownloadButton } from "../../auth/download-button.tsx";
import { formatDate, formatUsd, today } from "../../lib/format.ts";
import { refetchActive } from "../../lib/submission.ts";
import { DialogButton } from "../../ui/dialog.tsx";
import { Field } from "../../ui/field.tsx";
import { PartFailure } from "../../ui/load-failure.tsx";
import { SchemaForm } from "../../ui/schema-form.tsx";
import { SendButton } from "../../ui/send-button.tsx";
import { useTaskPart } from "../tasks/task-queries.ts";

/** Days until an invoice is due, to begin with. */
const DUE_DAYS = 30;

const creditPrompt = ({ otherSideLeft }: Task) => ({
  title: "Cancel this invoice?",
  text: `An invoice stays as it is: a credit note with the next number cancels it${otherSideLeft ? "" : ", and your client gets both"}.`,
  yes: "Yes, write the credit note",
  no: "Keep it",
});

/** The invoices of a completed task: both sides download them, the freelancer writes and cancels them. */
export function Invoices({ task }: { task: Task }) {
  const { _id: id, agreed, viewer } = task;
  const part = useTaskPart("invoices", task);
  const { data } = part;
  if (!data) return <PartFailure what="The invoices" part={part} />;
  const valid = data.invoices.filter(({ credits, credited }) => !credits && !credited);
  const { milestones, accepted } = agreed ?? {};
  const isOpen = (milestone: number | "") =>
    !valid.some((invoice) => (invoice.milestone ?? "") === milestone);
  /** What an invoice can be written for: the accepted milestones without one, or the whole work. */
  const open = (milestones ? [...Array(accepted).keys()] : ["" as const]).filter(isOpen);
  const nameOf = (milestone: number | "" = "") =>
    milestone === "" ? "" : ` for “${milestones?.[milestone]?.name}”`;
  return (
    <>
      {data.invoices.length > 0 && (
        <ul aria-label="Invoices" className="grid gap-2 text-sm">
          {data.invoices.map(({ _id, number, credits, credited, total, milestone, due }) => (
            <li key={_id}>
              <DownloadButton
                path={`/tasks/${id}/invoices/${_id}/pdf`}
                file={`tasklane-${credits ? "credit-note" : "invoice"}-${number}.pdf`}
                className="-ml-3 btn-ghost btn-sm"
              >
                {`${credits ? "Credit note" : "Invoice"} ${number} (PDF)`}
              </DownloadButton>
              <span className="quiet block">
                {credits
                  ? `${formatUsd(-total)}, cancels invoice ${credits}`
                  : credited
                    ? "Cancelled"
                    : `${formatUsd(total)}${nameOf(milestone)}, due ${formatDate(due)}`}
              </span>
            </li>
          ))}
        </ul>
      )}
      {viewer?.role === "hired" && (
        <>
          {valid.map(({ _id: invoiceId, number }) => (
            <SendButton
              key={invoiceId}
              send={(call) => {
                const params = { id, invoiceId };
                return call("POST /tasks/:id/invoices/:invoiceId/credit", { params });
              }}
              question={creditPrompt(task)}
              className="self-start btn-outline btn-sm"
            >
              Cancel invoice {number}
            </SendButton>
          ))}
          {open.map((milestone) => (
            <DialogButton
              key={milestone}
              title={`Write an invoice${nameOf(milestone)}`}
              className="wrap-anywhere btn-outline"
            >
              <InvoiceForm
                task={task}
                milestone={milestone === "" ? undefined : milestone}
                amount={(milestone === "" ? agreed : milestones?.[milestone])?.amount ?? 0}
                before={data.before}
                count={data.invoices.filter((one) => (one.milestone ?? "") === milestone).length}
              />
            </DialogButton>
          ))}
        </>
      )}
    </>
  );
}

type FormProps = {
  task: Task;
  /** For which milestone it is, from 0; without it, for the whole work. */
  milestone: number | undefined;
  amount: number;
  /** What an earlier invoice said. */
  before: InvoiceList["before"];
  /** How many there are for it: after a credit note, the same invoice is another one, with an idempotency key of its own. */
  count: number;
};

function InvoiceForm({ task: { _id: id, otherSideLeft }, milestone, amount, before, count }: FormProps) {
  const queryClient = useQueryClient();
  return (
    <SchemaForm
      schema={invoiceDraftSchema}
      stored={{ taxRate: 0, ...before, due: addDays(today(), DUE_DAYS) }}
      draft={`invoice.${id}.${milestone ?? ""}.${count}`}
      save={async (fields, call) => {
        await call("POST /tasks/:id/invoices", { params: { id }, body: { ...fields, milestone } });
        await refetchActive(queryClient);
      }}
      success={otherSideLeft ? undefined : "The invoice is sent."}
      submit="Send the invoice"
      inDialog="cancel"
    >
      <p className="quiet text-sm">
        For {formatUsd(amount)}, the agreed price, with the tax in it. It gets your next number and cannot be
        changed.
      </p>
      {[["from", "Your name and address"] as const, ["to", "The client’s name and address"] as const].map(
        ([name, label]) => (
          <Field
            key={name}
            name={name}
            label={label}
            type="textarea"
            rows={3}
            limit={INVOICE_LIMITS.address}
            required
          />
        ),
      )}
      <div className="grid gap-4 sm:grid-cols-2">
        <Field name="taxRate" label="Tax rate (%)" inputMode="decimal" required />
        <Field name="due" label="Due date" type="date" min={today()} required />
      </div>
      <Field
        name="taxNote"
        label="Tax note (optional)"
        hint="Your tax number, or why there is no tax."
        limit={INVOICE_LIMITS.taxNote}
      />
    </SchemaForm>
  );
}
