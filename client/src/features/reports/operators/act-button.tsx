import { REPORT_LIMITS, type ReportReason } from "@tasklane/server/contract";
import { type ReactNode, useState } from "react";
import { useFetcher } from "react-router-dom";
import { type FormResult, formValues } from "../../../lib/forms.ts";
import { ActionForm, useDraft } from "../../../ui/action-form.tsx";
import { Dialog } from "../../../ui/dialog.tsx";
import { Field } from "../../../ui/field.tsx";
import { REASON_OPTIONS } from "../report-queries.ts";
import { noteFormSchema, reasonFormSchema } from "./operator-queries.ts";

type Props = {
  /** The id of the task or the person. */
  id: string;
  /** That of a question on the task. */
  question?: string;
  title: string;
  button: string;
  busy: string;
  /** What it does. */
  children: ReactNode;
} & (
  | { act: "hide" | "suspend"; reason: ReportReason /** Who is told the reason. */; name: string }
  | { act: "restore" | "lift" }
);

/** Opens the form of an act that needs a reason: one that its person is told, or one that stands in the log alone. */
export function ActButton(props: Props) {
  const { act, id, question, title, button, busy, children } = props;
  const fetcher = useFetcher<FormResult>();
  const draft = useDraft(`${act}.${question ?? id}`);
  const [open, setOpen] = useState(false);
  const close = () => setOpen(false);
  const isHarsh = act === "hide" || act === "suspend";
  return (
    <>
      <button
        type="button"
        className={`btn btn-outline btn-sm ${isHarsh ? "btn-error" : ""}`}
        aria-haspopup="dialog"
        onClick={() => setOpen(true)}
      >
        {button}
      </button>
      <Dialog title={title} open={open} onClose={close}>
        <p className="quiet text-sm">{children}</p>
        <ActionForm
          fetcher={fetcher}
          name={act}
          values={
            "reason" in props
              ? formValues(reasonFormSchema, { reason: props.reason })
              : formValues(noteFormSchema, {})
          }
          draft={draft}
          submit={button}
          busy={busy}
          isDangerous={isHarsh}
          onResult={({ ok }) => ok && close()}
          buttons={
            <button type="button" className="btn btn-ghost" onClick={close}>
              Cancel
            </button>
          }
        >
          <input type="hidden" name="act" value={act} />
          <input type="hidden" name="id" value={id} />
          {question && <input type="hidden" name="question" value={question} />}
          {"reason" in props && (
            <Field
              name="reason"
              label="Reason"
              placeholder="Choose a reason"
              options={REASON_OPTIONS}
              required
            />
          )}
          <Field
            name="text"
            label={"reason" in props ? `Message to ${props.name} (optional)` : "Reason"}
            hint={"reason" in props ? "For example, what would need to change." : "It stands in the log."}
            type="textarea"
            limit={REPORT_LIMITS.note}
            required={!("reason" in props)}
          />
        </ActionForm>
      </Dialog>
    </>
  );
}
