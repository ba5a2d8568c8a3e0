import { queryOptions, useQuery, useQueryClient } from "@tanstack/react-query";
import {
  addDays,
  calendarDate,
  INVOICE_LIMITS,
  type InvoiceList,
  invoiceDraftSchema,
  type Task,
} from "@tasklane/server/contract";
import { useState } from "react";
import { DownloadButton } from "../../auth/download-button.tsx";
import type { Api } from "../../lib/api.ts";
import { useApi } from "../../lib/api-context.tsx";
import { formatDate, formatUsd } from "../../lib/format.ts";
import { formErrorOf, formValues, isBusy, sendOrExplain, submitForm } from "../../lib/forms.ts";
import { useSubmission } from "../../lib/submission.ts";
import { ActionForm, useDraft } from "../../ui/action-form.tsx";
import { confirm } from "../../ui/confirm.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { Field } from "../../ui/field.tsx";
import { FormAlert } from "../../ui/form-alert.tsx";
import { notify } from "../../ui/notify.tsx";

/** The task's invoices, cached per version of the task, as every new one changes that. */
function invoicesQuery(api: Api, { _id: id, version }: Pick<Task, "_id" | "version">) {
  return queryOptions({
    queryKey: ["tasks", "invoices", id, version],
    queryFn: async () => (await api.call("GET /tasks/:id/invoices", { params: { id } })).data,
  });
}

/** Days until an invoice is due, to begin with. */
const DUE_DAYS = 30;

/** The invoices of a completed task: both sides download them, the freelancer writes and cancels them. */
export function Invoices({ task }: { task: Task }) {
  const api = useApi();
  const { data } = useQuery({ ...invoicesQuery(api, task), placeholderData: (previous) => previous });
  const queryClient = useQueryClient();
  const [writing, setWriting] = useState<{ milestone: number | undefined }>();
  const params = { id: task._id };
  const reload = () => queryClient.invalidateQueries({ queryKey: ["tasks", "invoices", task._id] });
  const crediting = useSubmission(async (invoiceId: string) => {
    const path = "POST /tasks/:id/invoices/:invoiceId/credit";
    const result = await sendOrExplain(() => api.call(path, { params: { ...params, invoiceId } }));
    if (result.ok) await reload();
    return result;
  });
  if (!data) return null;
  const isFreelancer = task.viewer?.role === "hired";
  const valid = data.invoices.filter(({ credits, credited }) => !credits && !credited);
  const { milestones, accepted } = task.agreed ?? {};
  /** What an invoice can be written for: the accepted milestones without one, or the whole work. */
  const open: (number | undefined)[] = milestones
    ? [...Array(accepted).keys()].filter((at) => !valid.some(({ milestone }) => milestone === at))
    : valid.length === 0
      ? [undefined]
      : [];
  const nameOf = (milestone: number | undefined) =>
    milestone === undefined ? "" : ` for “${milestones?.[milestone]?.name}”`;
  const credit = async (invoiceId: string) => {
    if (!isBusy(crediting) && (await confirm(CREDIT))) await crediting.send(invoiceId);
  };
  return (
    <>
      {data.invoices.length > 0 && (
        <ul aria-label="Invoices" className="grid gap-2 text-sm">
          {data.invoices.map(({ _id, number, credits, credited, total, milestone, due }) => (
            <li key={_id}>
              <DownloadButton
                path={`/tasks/${task._id}/invoices/${_id}/pdf`}
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
      {isFreelancer && (
        <>
          <FormAlert error={formErrorOf(crediting)} />
          {valid.map(({ _id, number }) => (
            <button
              key={_id}
              type="button"
              className="btn self-start btn-outline btn-sm"
              aria-disabled={isBusy(crediting) || undefined}
              onClick={() => void credit(_id)}
            >
              Cancel invoice {number}
            </button>
          ))}
          {open.map((milestone) => (
            <button
              key={milestone ?? ""}
              type="button"
              className="btn h-auto btn-outline"
              aria-haspopup="dialog"
              onClick={() => setWriting({ milestone })}
            >
              Write an invoice{nameOf(milestone)}
            </button>
          ))}
          <Dialog
            title={`Write an invoice${nameOf(writing?.milestone)}`}
            open={writing !== undefined}
            onClose={() => setWriting(undefined)}
          >
            <InvoiceForm
              key={writing?.milestone ?? ""}
              task={task}
              milestone={writing?.milestone}
              before={data.before}
              onClose={() => setWriting(undefined)}
              onWritten={reload}
            />
          </Dialog>
        </>
      )}
    </>
  );
}

const CREDIT = {
  title: "Cancel this invoice?",
  text: "An invoice stays as it is: a credit note with the next number cancels it, and your client gets both.",
  yes: "Yes, write the credit note",
  no: "Keep it",
} as const;

type FormProps = {
  task: Task;
  milestone: number | undefined;
  /** What the freelancer wrote on their latest invoice. */
  before: InvoiceList["before"];
  onClose: () => void;
  onWritten: () => Promise<void>;
};

function InvoiceForm({ task, milestone, before, onClose, onWritten }: FormProps) {
  const api = useApi();
  const draft = useDraft(`invoice.${task._id}.${milestone ?? ""}`);
  const { agreed } = task;
  const amount = milestone === undefined ? agreed?.amount : agreed?.milestones?.[milestone]?.amount;
  const due = addDays(calendarDate(new Date()), DUE_DAYS);
  const writing = useSubmission((form: FormData) =>
    submitForm(form, invoiceDraftSchema, async (fields, idempotencyKey) => {
      const body = { ...fields, milestone };
      await api.call("POST /tasks/:id/invoices", { params: { id: task._id }, body, idempotencyKey });
      await onWritten();
      return {};
    }),
  );
  return (
    <ActionForm
      submission={writing}
      name="invoice"
      values={formValues(invoiceDraftSchema, { taxRate: 0, ...before, due })}
      draft={draft}
      submit="Send the invoice"
      busy="Sending…"
      onResult={({ ok }) => {
        if (!ok) return;
        onClose();
        notify.success("The invoice is sent.", { topic: `invoice-${task._id}` });
      }}
      buttons={
        <button type="button" className="btn btn-ghost" onClick={onClose}>
          Cancel
        </button>
      }
    >
      <p className="quiet text-sm">
        For {formatUsd(amount ?? 0)}, the agreed price, with the tax in it. It gets your next number and
        cannot be changed.
      </p>
      <Field
        name="from"
        label="Your name and address"
        type="textarea"
        rows={3}
        limit={INVOICE_LIMITS.address}
        required
      />
      <Field
        name="to"
        label="The client’s name and address"
        type="textarea"
        rows={3}
        limit={INVOICE_LIMITS.address}
        required
      />
      <div className="grid gap-4 sm:grid-cols-2">
        <Field name="taxRate" label="Tax rate (%)" inputMode="decimal" required />
        <Field name="due" label="Due date" type="date" max="2099-12-31" required />
      </div>
      <Field
        name="taxNote"
        label="Tax note (optional)"
        hint="Your tax number, or why there is no tax."
        limit={INVOICE_LIMITS.taxNote}
      />
    </ActionForm>
  );
}
