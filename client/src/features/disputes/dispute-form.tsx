import { useQueryClient } from "@tanstack/react-query";
import {
  appealSchema,
  DISPUTE_LIMITS,
  type Dispute,
  endingDraftSchema,
  statementSchema,
  type Task,
} from "@tasklane/server/contract";
import * as z from "zod/mini";
import { formatUsd } from "../../lib/format.ts";
import { refetchActive } from "../../lib/submission.ts";
import { Field } from "../../ui/field.tsx";
import { SchemaForm } from "../../ui/schema-form.tsx";
import { useAttachedFiles } from "../files/attached-files.ts";
import { FileField } from "../files/file-field.tsx";

/** The two sides of a task. */
export type Side = "client" | "freelancer";

export type Form = keyof typeof FORMS;

/** What can be said about the early end of a task: the form’s title, where it is sent, and its fields. */
export const FORMS = {
  propose: { title: "End this task early", endpoint: "PUT /tasks/:id/ending", schema: endingDraftSchema },
  state: { title: "State your case", endpoint: "PUT /tasks/:id/dispute", schema: statementSchema },
  appeal: { title: "Appeal", endpoint: "POST /tasks/:id/appeal", schema: appealSchema },
  decide: { title: "Decide this dispute", endpoint: "POST /tasks/:id/decision", schema: endingDraftSchema },
} as const;

type FormProps = {
  form: Form;
  task: Task;
  dispute: Dispute | undefined;
  side: Side | undefined;
};

/** The form to propose an end, to state one’s case, to appeal or to decide. */
export function DisputeForm({ form, task, dispute, side }: FormProps) {
  const { _id: id, agreed } = task;
  const queryClient = useQueryClient();
  const draft = `${form}.${id}`;
  const isStatement = form === "state";
  const files = useAttachedFiles({ task, on: side && dispute?._id, by: side ?? "client", draft });
  const price = agreed?.amount ?? dispute?.agreement?.versions.at(-1)?.amount ?? 0;
  const accepted = (agreed?.milestones ?? []).slice(0, agreed?.accepted);
  const owed =
    dispute?.owed ?? accepted.reduce((sum, { amount }) => Math.round((sum + amount) * 100) / 100, 0);
  const before = { text: side && dispute?.statements[side], files: files.stored };
  return (
    <SchemaForm
      // The endpoint takes what its form's schema puts out.
      schema={
        (isStatement && !files.known
          ? z.omit(statementSchema, { files: true })
          : FORMS[form].schema) as typeof endingDraftSchema & typeof statementSchema
      }
      stored={isStatement ? before : {}}
      draft={draft}
      basis={{ files: files.known }}
      save={async ({ files: chosen, ...said }, call) => {
        const endpoint = FORMS[form].endpoint as "PUT /tasks/:id/ending";
        const body = { ...said, ...(chosen && { files: await files.withOthers(chosen) }) };
        await call(endpoint, { params: { id }, body });
        if (chosen) files.setKnown(chosen);
        await refetchActive(queryClient);
      }}
      submit={form === "decide" ? "Decide" : "Send"}
      inDialog="cancel"
    >
      {(form === "propose" || form === "decide") && (
        <Field
          name="share"
          label="The freelancer gets"
          hint={`Of ${formatUsd(price)}${owed > 0 ? `, ${formatUsd(owed)} of it for accepted milestones` : ""}. The task is completed at this price; with 0 it is cancelled.`}
          unit="$"
          required
        />
      )}
      <Field
        name={isStatement ? "text" : "reason"}
        label={isStatement ? "What happened?" : "Reason"}
        hint={
          isStatement
            ? "The other side and an operator read it. You can change it until the decision."
            : "Both sides read it."
        }
        type="textarea"
        rows={5}
        limit={isStatement ? DISPUTE_LIMITS.statement : DISPUTE_LIMITS.reason}
        required
      />
      {isStatement && (
        <>
          <Field
            name="messages"
            label={dispute?.messages ? "Submit our messages as they are now" : "Submit our messages"}
            hint={`Operators read the last ${DISPUTE_LIMITS.messages} of your conversation.`}
            type="checkbox"
          />
          {files.known && <FileField label="Attach files" />}
        </>
      )}
    </SchemaForm>
  );
}
