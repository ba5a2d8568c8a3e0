import { useQuery } from "@tanstack/react-query";
import {
  PAYMENT_LIMITS,
  paymentDraftSchema,
  type Receipt,
  receiptSchema,
  type Task,
} from "@tasklane/server/contract";
import { CircleCheck } from "lucide-react";
import { type ReactNode, useState } from "react";
import { Link } from "react-router-dom";
import { useApi } from "../../lib/api-context.tsx";
import { formatUsd } from "../../lib/format.ts";
import { formErrorOf, formValues, isBusy, sendOrExplain, submitForm } from "../../lib/forms.ts";
import { paths } from "../../lib/paths.ts";
import { stateNow } from "../../lib/state-now.ts";
import { useSubmission } from "../../lib/submission.ts";
import { ActionForm, useDraft, useResult } from "../../ui/action-form.tsx";
import { Field } from "../../ui/field.tsx";
import { FormAlert } from "../../ui/form-alert.tsx";
import { notify } from "../../ui/notify.tsx";
import { TextForm } from "../../ui/text-form.tsx";
import { When } from "../../ui/when.tsx";
import { Invoices } from "./invoices.tsx";
import { PaidBy } from "./payment-details.tsx";
import { paymentDetailsQuery } from "./payment-queries.ts";

/** What is paid by itself: the whole work, or an accepted milestone with its number, from 0. */
type Due = Pick<NonNullable<Task["agreed"]>, "amount" | "payment"> & {
  name?: string | undefined;
  milestone?: number;
};

function duesOf(task: Task): Due[] {
  const { agreed } = task;
  if (agreed?.milestones)
    return agreed.milestones.slice(0, agreed.accepted).map(({ amount, payment, name }, milestone) => ({
      amount,
      name,
      milestone,
      ...(payment && { payment }),
    }));
  return agreed && stateNow(task) === "completed" ? [agreed] : [];
}

/** The payment of accepted work, as its two sides record it; nothing for others. No money moves here. */
export function PaymentPanel({ task }: { task: Task }) {
  const { agreed, viewer } = task;
  const dues = duesOf(task);
  if (dues.length === 0 || !viewer) return null;
  const Side = viewer.role === "client" ? ClientSide : FreelancerSide;
  const states = new Set(dues.map(({ payment }) => payment?.state));
  const [state] = states.size === 1 ? states : [];
  return (
    <section className="grid grid-cols-1 gap-4 border-t border-base-300 pt-4" aria-labelledby="payment">
      <h3 id="payment" tabIndex={-1} className="font-semibold outline-none">
        {state === "received" ? "Paid" : state === "paid" ? "Marked as paid" : "Payment"}
      </h3>
      {agreed?.milestones
        ? dues.map((due) => (
            <div key={due.milestone} className="grid grid-cols-1 gap-3">
              <h4 className="text-sm font-medium wrap-anywhere">
                <bdi>{due.name}</bdi>, {formatUsd(due.amount)}
              </h4>
              <Side task={task} due={due} />
            </div>
          ))
        : dues.map((due) => <Side key="" task={task} due={due} />)}
      <Invoices task={task} />
    </section>
  );
}

type Props = { task: Task; due: Due };

function ClientSide({ task, due }: Props) {
  const { amount, payment } = due;
  const { contact } = task.viewer ?? {};
  const name = <bdi>{contact?.name ?? "the freelancer"}</bdi>;
  if (payment?.state === "received")
    return <Received at={payment.at}>{name} has confirmed your payment</Received>;
  const isPaid = payment?.state === "paid";
  return (
    <>
      {isPaid ? (
        <p className="text-sm wrap-anywhere">
          You marked it as paid <When at={payment.at} />. {name} confirms it once the money has arrived.
        </p>
      ) : payment ? (
        <div role="alert" className="alert alert-soft alert-warning">
          <p className="min-w-0 wrap-anywhere">
            {name} has not received your payment. <bdi>{payment.note}</bdi>
          </p>
        </div>
      ) : (
        <p className="text-sm wrap-anywhere">
          Pay {formatUsd(amount)} to {name} outside of this site, which moves no money, and say so here.
        </p>
      )}
      {!isPaid && contact?.payment && <PaidBy details={contact.payment} />}
      <Reference reference={isPaid ? payment.reference : undefined} />
      {!isPaid && <PaidForm task={task} due={due} />}
    </>
  );
}

function PaidForm({ task: { _id: id }, due: { payment, milestone } }: Props) {
  const api = useApi();
  const draft = useDraft(`payment.${id}.${milestone ?? ""}`);
  const paying = useSubmission((form: FormData) =>
    submitForm(form, paymentDraftSchema, async ({ reference }, idempotencyKey) => {
      const body = { reference, milestone };
      await api.call("PUT /tasks/:id/payment", { params: { id }, body, idempotencyKey });
      return {};
    }),
  );
  return (
    <ActionForm
      submission={paying}
      name={`payment${milestone ?? ""}`}
      values={formValues(paymentDraftSchema, { reference: payment?.reference })}
      draft={draft}
      submit="Mark as paid"
      busy="Saving…"
      onResult={({ ok }) => {
        if (ok)
          notify.success("Marked as paid. The freelancer is asked to confirm it.", {
            topic: `payment-${id}`,
          });
      }}
    >
      <Field
        name="reference"
        label="Reference (optional)"
        hint="What the freelancer finds on their account, like the purpose of your transfer."
        limit={PAYMENT_LIMITS.reference}
      />
    </ActionForm>
  );
}

function FreelancerSide({ task, due: { amount, payment, milestone } }: Props) {
  const api = useApi();
  const { data: details } = useQuery(paymentDetailsQuery(api));
  const params = { id: task._id };
  const receiving = useSubmission(() =>
    sendOrExplain(() =>
      api.call("PATCH /tasks/:id/payment", { params, body: { received: true, milestone } as Receipt }),
    ),
  );
  const topic = `payment-${task._id}`;
  useResult(receiving, ({ ok }) => {
    if (ok) notify.success("Thank you. Your client is notified.", { topic });
  });
  const draft = useDraft(`missing.${task._id}.${milestone ?? ""}`);
  const [isMissing, setIsMissing] = useState(false);
  const client = <bdi>{task.viewer?.contact?.name ?? task.name}</bdi>;
  if (payment?.state === "received")
    return <Received at={payment.at}>You have confirmed the payment</Received>;
  const isPaid = payment?.state === "paid";
  const busy = isBusy(receiving);
  const sayMissing = (form: FormData) =>
    submitForm(form, receiptSchema, async ({ note }, idempotencyKey) => {
      const body = { received: false, note, milestone };
      await api.call("PATCH /tasks/:id/payment", { params, body, idempotencyKey });
      return {};
    });
  return (
    <>
      <p className="text-sm wrap-anywhere">
        {isPaid ? (
          <>
            {client} marked {formatUsd(amount)} as paid <When at={payment.at} />. Has it arrived?
          </>
        ) : payment ? (
          <>
            You said that nothing has arrived <When at={payment.at} />. {client} is notified.
          </>
        ) : (
          <>
            {client} pays you {formatUsd(amount)} outside of this site, which moves no money, and says so
            here.
          </>
        )}
      </p>
      <Reference reference={isPaid ? payment.reference : undefined} />
      {details?.value === "" && (
        <p className="text-sm">
          <Link to={paths.paymentDetails} className="link link-primary">
            Say how you are paid
          </Link>
          : only clients who have hired you see it.
        </p>
      )}
      <FormAlert error={formErrorOf(receiving)} />
      {isMissing && isPaid ? (
        <TextForm
          name="missing"
          field="note"
          save={sayMissing}
          label="Note (optional)"
          hint="What your client should know, like where you have looked."
          limit={PAYMENT_LIMITS.note}
          isRequired={false}
          draft={draft}
          submit="Nothing has arrived"
          busy="Sending…"
          onClose={() => setIsMissing(false)}
        />
      ) : (
        <div className="flex flex-wrap gap-3">
          <button
            type="button"
            className={`btn grow ${isPaid ? "btn-primary" : "btn-outline"}`}
            aria-disabled={busy || undefined}
            onClick={() => void (busy || receiving.send())}
          >
            {isPaid ? "Yes, it has arrived" : "The payment has arrived"}
          </button>
          {isPaid && (
            <button type="button" className="btn grow btn-outline" onClick={() => setIsMissing(true)}>
              No, nothing
            </button>
          )}
        </div>
      )}
    </>
  );
}

function Reference({ reference }: { reference: string | undefined }) {
  if (!reference) return null;
  return (
    <p className="text-sm wrap-anywhere">
      Reference: <bdi>{reference}</bdi>
    </p>
  );
}

function Received({ at, children }: { at: string; children: ReactNode }) {
  return (
    <p className="flex items-start gap-2 text-sm">
      <CircleCheck aria-hidden="true" className="size-5 shrink-0 text-success" />
      <span className="min-w-0 wrap-anywhere">
        {children} <When at={at} />.
      </span>
    </p>
  );
}
