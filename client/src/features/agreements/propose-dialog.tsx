import {
  AGREEMENT_LIMITS,
  checkMilestones,
  type Milestone,
  type ProposalDraft,
  proposalDraftSchema,
} from "@tasklane/server/contract";
import { Plus, X } from "lucide-react";
import { use, useId, useRef, useState } from "react";
import * as z from "zod/mini";
import { formatUsd, today } from "../../lib/format.ts";
import { numberText, toNumber } from "../../lib/forms.ts";
import { Field, FieldError, FormFieldsContext } from "../../ui/field.tsx";
import { useHiddenInput } from "../../ui/list-field.tsx";
import { SchemaForm } from "../../ui/schema-form.tsx";

/** The milestones are JSON in the form. */
const proposalFormSchema = z
  .object({
    ...proposalDraftSchema.shape,
    milestones: z.pipe(
      z.pipe(
        z._default(z.string(), "[]"),
        z.transform((text): unknown => JSON.parse(text)),
      ),
      proposalDraftSchema.shape.milestones,
    ),
  })
  .check(checkMilestones);

type Props = {
  taskId: string;
  /** The present ones, with which the form begins. */
  terms: Pick<ProposalDraft, "amount" | "due" | "scope"> & { milestones?: Milestone[] | undefined };
  /** How many milestones were accepted. */
  accepted: number;
};

/** The draft's name. One from before a milestone was accepted could hold other terms for it, which nobody can correct. */
export const proposalDraft = (id: string, accepted: number) => `proposal.${id}.${accepted}`;

/** Proposes another price, date or scope to the other side. */
export function ProposeForm({ taskId: id, terms, accepted }: Props) {
  return (
    <SchemaForm
      schema={proposalFormSchema}
      stored={{ ...terms, milestones: JSON.stringify(terms.milestones ?? []) }}
      draft={proposalDraft(id, accepted)}
      save={(body, call) => call("PUT /tasks/:id/agreement/proposal", { params: { id }, body })}
      success="Your proposal is sent. It counts once the other side accepts it."
      submit="Propose"
      inDialog="cancel"
    >
      <TermsFields accepted={accepted} />
      <Field
        name="scope"
        label="Changes to the scope (optional)"
        hint="What is to be done beyond the description, or otherwise."
        type="textarea"
        rows={3}
        limit={AGREEMENT_LIMITS.scope}
      />
      <Field
        name="note"
        label="Why (optional)"
        hint="For the other side. It is not part of the agreement."
        type="textarea"
        rows={2}
        limit={AGREEMENT_LIMITS.note}
      />
    </SchemaForm>
  );
}

type Row = Record<keyof Milestone, string>;
const EMPTY: Row = { name: "", amount: "", due: "" };

/** The rows of a form's value, which is JSON. */
function rowsOf(value: string | undefined): Row[] {
  try {
    // JSON has null for a price that is not a number yet.
    const rows: (Omit<Milestone, "amount"> & { amount: number | null })[] = JSON.parse(value ?? "[]");
    return rows.map(({ name, amount, due }) => ({
      name,
      amount: amount === null ? "" : numberText(amount),
      due,
    }));
  } catch {
    return [];
  }
}

/**
 * The price and the date, or the milestones whose prices and last date they are. The first `accepted` ones stay as they
 * are.
 */
function TermsFields({ accepted }: { accepted: number }) {
  const form = use(FormFieldsContext);
  const id = useId();
  const addButton = useRef<HTMLButtonElement>(null);
  const [rows, setRows] = useState(() => rowsOf(form.values["milestones"]));
  const value = JSON.stringify(rows.map((row) => ({ ...row, amount: toNumber(row.amount) })));
  const hiddenInput = useHiddenInput(value);
  const sum = rows.reduce((cents, { amount }) => cents + Math.round((toNumber(amount) || 0) * 100), 0) / 100;
  const change = (at: number, field: keyof Row) => (typed: string) =>
    setRows(rows.map((row, index) => (index === at ? { ...row, [field]: typed } : row)));
  const remove = (at: number) => {
    // One milestone alone would be the whole work.
    const rest = rows.length > 2 ? rows.filter((_, index) => index !== at) : rows.slice(0, accepted);
    const first = rest.length < rows.length - 1 ? accepted : at;
    // The rows after it move up, and what follows from all of them is another.
    const rowFields = Object.keys(form.errors).filter((field) => Number(field.split("-")[1]) > first);
    form.forget([...rowFields, ...OF_ALL]);
    setRows(rest);
    // The focused button may be gone.
    addButton.current?.focus();
  };
  const isSplit = rows.length > 0;
  const due = rows.at(-1)?.due ?? "";
  const amountInput = useHiddenInput(String(sum));
  const dueInput = useHiddenInput(due);
  const [error] = OF_ALL.flatMap((name) => form.errors[name] ?? []);
  return (
    <>
      <input ref={hiddenInput} type="hidden" name="milestones" value={value} />
      {isSplit ? (
        <fieldset className="grid grid-cols-1 gap-4" aria-describedby={error ? `${id}-error` : undefined}>
          <legend className="mb-2 text-sm font-semibold">Milestones</legend>
          <input ref={amountInput} type="hidden" name="amount" value={sum} />
          <input ref={dueInput} type="hidden" name="due" value={due} />
          {rows.map((row, at) => (
            <MilestoneRow
              key={at}
              row={row}
              number={at + 1}
              isFixed={at < accepted}
              change={(field) => change(at, field)}
              onRemove={() => remove(at)}
            />
          ))}
          <p className="text-sm" aria-live="polite">
            Price: <strong>{formatUsd(sum)}</strong>
          </p>
          <FieldError id={id} error={error} />
        </fieldset>
      ) : (
        <div className="grid gap-4 sm:grid-cols-2">
          <Field name="amount" label="Price" unit="$" required />
          <Field name="due" label="Date" type="date" min={today()} required />
        </div>
      )}
      {rows.length < AGREEMENT_LIMITS.milestones && (
        <button
          ref={addButton}
          type="button"
          className="btn justify-self-start btn-ghost btn-sm"
          onClick={() => setRows(isSplit ? [...rows, EMPTY] : [EMPTY, EMPTY])}
        >
          <Plus />
          {isSplit ? "Add a milestone" : "Split into milestones"}
        </button>
      )}
    </>
  );
}

/** With milestones, the price and the date follow from them and have no fields of their own. */
const OF_ALL = ["milestones", "amount", "due"];

type RowProps = {
  row: Row;
  number: number;
  /** True once it was accepted. */
  isFixed: boolean;
  change: (field: keyof Row) => (typed: string) => void;
  onRemove: () => void;
};

/** The name, price and date of a milestone. Its fields have no value of their own in the form. */
function MilestoneRow({ row, number, isFixed, change, onRemove }: RowProps) {
  const field = (name: keyof Row) => ({
    name: `${name}-${number}`,
    value: row[name],
    onChange: change(name),
    readOnly: isFixed,
    required: true,
  });
  return (
    <fieldset
      aria-label={`Milestone ${number}`}
      className="grid min-w-0 grid-cols-1 gap-3 rounded-field border border-base-300 p-3"
    >
      <Field {...field("name")} label="Name" placeholder="What is done then">
        {!isFixed && (
          <button
            type="button"
            className="btn btn-square btn-ghost"
            aria-label={`Remove milestone ${number}`}
            onClick={onRemove}
          >
            <X />
          </button>
        )}
      </Field>
      <div className="grid gap-3 sm:grid-cols-2">
        <Field {...field("amount")} label="Price" unit="$" />
        <Field {...field("due")} label="Date" type="date" />
      </div>
    </fieldset>
  );
}
