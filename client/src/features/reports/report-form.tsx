import { REPORT_LIMITS, REPORT_REASONS, reportDraftSchema } from "@tasklane/server/contract";
import { CircleCheck } from "lucide-react";
import { type FormEvent, useEffect, useRef, useState } from "react";
import { useAuth } from "../../auth/auth-context.tsx";
import { LogInAgain } from "../../auth/log-in-again.tsx";
import { useApi } from "../../lib/api-provider.tsx";
import { draftKeyOf, isRefused, newOnceKey, readDraft, removeDraft, writeDraft } from "../../lib/drafts.ts";
import { type FormError, invalidForm, toFormError } from "../../lib/forms.ts";
import { FormAlert } from "../../ui/form-alert.tsx";
import { Field, focusFirstInvalid } from "../../ui/old-field.tsx";
import { SubmitButton } from "../../ui/submit-button.tsx";
import { REASONS } from "./reasons.ts";
import { sendReport } from "./reports-api.ts";

type Props = { taskId: string; bidId?: string; onDone: () => void };

/** Why, and in one's own words. A draft keeps what was typed until it is sent, also when the dialog is closed. */
export function ReportForm({ taskId, bidId, onDone }: Props) {
  const api = useApi();
  const { user } = useAuth();
  const form = useRef<HTMLFormElement>(null);
  const [busy, setBusy] = useState(false);
  const [sent, setSent] = useState(false);
  const [failure, setFailure] = useState<FormError>();
  // For as long as the form stands: what was changed since is another report.
  const [onceKey, setOnceKey] = useState(newOnceKey);
  const key = draftKeyOf(user?.uid ?? "", `report.${bidId ?? taskId}`);
  const [draft] = useState(() => readDraft(key));

  useEffect(() => {
    if (failure) focusFirstInvalid(form.current);
  }, [failure]);

  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (busy) return;
    const data = new FormData(event.currentTarget);
    const text = String(data.get("text") ?? "").replaceAll("\r\n", "\n");
    const parsed = reportDraftSchema.safeParse({
      taskId,
      ...(bidId && { bidId }),
      reason: data.get("reason") ?? undefined,
      ...(text.trim() && { text }),
    });
    if (!parsed.success) return setFailure(invalidForm(parsed.error.issues));
    setBusy(true);
    setFailure(undefined);
    try {
      await sendReport(api, parsed.data, onceKey);
      removeDraft(key);
      setSent(true);
    } catch (error) {
      setFailure(toFormError(error));
      if (isRefused(error)) setOnceKey(newOnceKey());
    }
    setBusy(false);
  };

  const keep = () => {
    if (!form.current) return;
    const data = new FormData(form.current);
    writeDraft(key, { reason: String(data.get("reason") ?? ""), text: String(data.get("text") ?? "") });
  };

  if (sent) return <Sent onDone={onDone} />;
  return (
    <form ref={form} noValidate className="grid grid-cols-1 gap-4" onInput={keep} onSubmit={submit}>
      <Field idPrefix="report" name="reason" label="Reason" error={failure?.fieldErrors["reason"]}>
        {(control) => (
          <select {...control} className="select w-full" required defaultValue={draft?.["reason"] ?? ""}>
            <option value="" disabled>
              Choose a reason
            </option>
            {REPORT_REASONS.map((reason) => (
              <option key={reason} value={reason}>
                {REASONS[reason]}
              </option>
            ))}
          </select>
        )}
      </Field>
      <Field
        idPrefix="report"
        name="text"
        label="Explanation (optional)"
        error={failure?.fieldErrors["text"]}
        limit={REPORT_LIMITS.text}
        hint="Operators read it, nobody else."
      >
        {(control) => (
          <textarea {...control} className="textarea min-h-24 w-full" defaultValue={draft?.["text"]} />
        )}
      </Field>
      <FormAlert>
        {failure && (
          <>
            {failure.message} {failure.sessionOver && <LogInAgain />}
          </>
        )}
      </FormAlert>
      <SubmitButton busy={busy} busyLabel="Sending…">
        Send report
      </SubmitButton>
    </form>
  );
}

function Sent({ onDone }: { onDone: () => void }) {
  const close = useRef<HTMLButtonElement>(null);
  // The form that had focus is gone.
  useEffect(() => close.current?.focus(), []);
  return (
    <div className="space-y-4">
      <p role="status" className="flex items-start gap-2">
        <CircleCheck aria-hidden="true" className="size-5 shrink-0 text-success" />
        Thank you. An operator will look at it.
      </p>
      <button ref={close} type="button" className="btn btn-outline" onClick={onDone}>
        Close
      </button>
    </div>
  );
}
