import { useQuery } from "@tanstack/react-query";
import {
  PAYMENT_LIMITS,
  paymentDraftSchema,
  type Receipt,
  receiptSchema,
  type Task,
} from "@tasklane/server/contract";
import { CircleCheck } from "lucide-react";
import type { ReactNode } from "react";
import { Link } from "react-router-dom";
import type { Api } from "../../lib/api.ts";
import { formatUsd } from "../../lib/format.ts";
import { paths } from "../../lib/paths.ts";
import { Field } from "../../ui/field.tsx";
import { notify } from "../../ui/notify.tsx";
import { stateNow, When } from "../../ui/now.tsx";
import { SchemaForm } from "../../ui/schema-form.tsx";
import { Section } from "../../ui/section.tsx";
import { SendButton } from "../../ui/send-button.tsx";
import { TextForm } from "../../ui/text-form.tsx";
import { Invoices } from "./invoices.tsx";
import { PaidBy, paymentDetailsQuery } from "./payment-details.tsx";

/** What is paid by itself: the whole work, or an accepted milestone with its number, from 0. */
type Due = Pick<NonNullable<Task["agreed"]>, "amount" | "payment"> & {
  name?: string | undefined;
  milestone?: number;
};

function duesOf(task: Task): Due[] {
  const { agreed } = task;
  if (agreed?.milestones)
    return agreed.milestones.slice(0, agreed.accepted).map((due, milestone) => ({ ...due, milestone }));
  return agreed && stateNow(task) === "completed" ? [agreed] : [];
}

const HEADINGS = { received: "Paid", paid: "Marked as paid", missing: "Payment" };

/** The payment of accepted work, as its two sides record it; nothing for others. No money moves here. */
export function PaymentPanel({ task }: { task: Task }) {
  const dues = duesOf(task);
  if (dues.length === 0 || !task.viewer) return null;
  const Side = task.viewer.role === "client" ? ClientSide : FreelancerSide;
  const [state = "missing", ...others] = new Set(dues.map(({ payment }) => payment?.state));
  return (
    <Section id="payment" look="part" title={HEADINGS[others.length > 0 ? "missing" : state]}>
      {dues.map((due) => (
        <div key={due.milestone ?? ""} className="grid grid-cols-1 gap-3">
          {due.milestone !== undefined && (
            <h4 className="text-sm font-medium wrap-anywhere">
              <bdi>{due.name}</bdi>, {formatUsd(due.amount)}
            </h4>
          )}
          <Side task={task} due={due} />
        </div>
      ))}
      <Invoices task={task} />
    </Section>
  );
}

type Props = { task: Task; due: Due };

function ClientSide({
  task: { _id: id, viewer, otherSideLeft },
  due: { amount, payment, milestone },
}: Props) {
  const { contact } = viewer ?? {};
  const nameOr = (unnamed: string) => <bdi>{contact?.name ?? unnamed}</bdi>;
  const name = nameOr("The freelancer");
  if (payment?.state === "received")
    return <Received at={payment.at}>{name} has confirmed your payment</Received>;
  if (payment?.state === "paid")
    return (
      <>
        <p className="text-sm wrap-anywhere">
          You marked it as paid <When at={payment.at} />.{" "}
          {!otherSideLeft && <>{name} confirms it once the money has arrived.</>}
        </p>
        <Reference reference={payment.reference} />
      </>
    );
  return (
    <>
      {payment ? (
        <div role="alert" className="alert alert-soft alert-warning">
          <p className="min-w-0 wrap-anywhere">
            {name} has not received your payment. <bdi>{payment.note}</bdi>
          </p>
        </div>
      ) : (
        <p className="text-sm wrap-anywhere">
          Pay {formatUsd(amount)} to {nameOr("the freelancer")} outside of this site, which moves no money,
          and say so here.
        </p>
      )}
      {contact?.payment && <PaidBy details={contact.payment} />}
      <SchemaForm
        schema={paymentDraftSchema}
        stored={{ reference: payment?.reference }}
        // Each time it is missing is another step, with an idempotency key of its own.
        draft={`payment.${id}.${milestone ?? ""}.${payment?.at ?? ""}`}
        save={({ reference }, call) =>
          call("PUT /tasks/:id/payment", { params: { id }, body: { reference, milestone } })
        }
        success={`Marked as paid.${otherSideLeft ? "" : " The freelancer is asked to confirm it."}`}
        submit="Mark as paid"
        busy="Saving…"
      >
        <Field
          name="reference"
          label="Reference (optional)"
          hint="What the freelancer finds on their account, like the purpose of your transfer."
          limit={PAYMENT_LIMITS.reference}
        />
      </SchemaForm>
    </>
  );
}

function FreelancerSide({
  task: { _id: id, viewer, name, otherSideLeft },
  due: { amount, payment, milestone },
}: Props) {
  const { data: details } = useQuery(paymentDetailsQuery);
  const client = <bdi>{viewer?.contact?.name ?? name}</bdi>;
  if (payment?.state === "received")
    return <Received at={payment.at}>You have confirmed the payment</Received>;
  const isPaid = payment?.state === "paid";
  const answer = (receipt: Partial<Receipt>, call: Api["call"]) =>
    call("PATCH /tasks/:id/payment", { params: { id }, body: { ...receipt, milestone } as Receipt });
  const hasArrived = (
    <SendButton
      className={`grow ${isPaid ? "btn-primary" : "btn-outline"}`}
      send={async (call) => {
        await answer({ received: true }, call);
        notify.success(`Thank you.${otherSideLeft ? "" : " Your client is notified."}`, {
          topic: `payment-${id}`,
        });
      }}
    >
      {isPaid ? "Yes, it has arrived" : "The payment has arrived"}
    </SendButton>
  );
  return (
    <>
      <p className="text-sm wrap-anywhere">
        {isPaid ? (
          <>
            {client} marked {formatUsd(amount)} as paid <When at={payment.at} />. Has it arrived?
          </>
        ) : payment ? (
          <>
            You said <When at={payment.at} /> that nothing has arrived.{" "}
            {!otherSideLeft && <>{client} is notified.</>}
          </>
        ) : (
          <>
            {client} pays you {formatUsd(amount)} outside of this site, which moves no money
            {otherSideLeft ? "" : ", and says so here"}.
          </>
        )}
      </p>
      {isPaid && <Reference reference={payment.reference} />}
      {details?.value === "" && (
        <p className="text-sm">
          <Link to={paths.paymentDetails} className="link link-primary">
            Say how you are paid
          </Link>
          : only clients who have hired you see it.
        </p>
      )}
      {isPaid ? (
        <TextForm
          field="note"
          schema={receiptSchema}
          save={({ note }, call) => answer({ received: false, note }, call)}
          label="Note (optional)"
          hint="What your client should know, like where you have looked."
          limit={PAYMENT_LIMITS.note}
          isRequired={false}
          draft={`missing.${id}.${milestone ?? ""}.${payment.at}`}
          submit="Nothing has arrived"
          closed={(open) => (
            <div className="flex flex-wrap gap-3">
              {hasArrived}
              <button type="button" className="btn grow btn-outline" onClick={open}>
                No, nothing
              </button>
            </div>
          )}
        />
      ) : (
        <div className="flex flex-wrap gap-3">{hasArrived}</div>
      )}
    </>
  );
}

function Reference({ reference }: { reference: string | undefined }) {
  return (
    reference && (
      <p className="text-sm wrap-anywhere">
        Reference: <bdi>{reference}</bdi>
      </p>
    )
  );
}

function Received({ at, children }: { at: string; children: ReactNode }) {
  return (
    <p className="flex items-start gap-2 text-sm">
      <CircleCheck className="size-5 shrink-0 text-success" />
      <span className="min-w-0 wrap-anywhere">
        {children} <When at={at} />.
      </span>
    </p>
  );
}
