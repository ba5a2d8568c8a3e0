import {
  changeRequestSchema,
  DELIVERY_LIMITS,
  deliveryDraftSchema,
  type Task,
} from "@tasklane/server/contract";
import * as z from "zod/mini";
import { DialogButton } from "../../ui/dialog.tsx";
import { Field } from "../../ui/field.tsx";
import { SchemaForm } from "../../ui/schema-form.tsx";
import { FileField } from "../files/file-field.tsx";

/** One link per line; `https://` is added where the scheme is missing. */
function parseLinks(text: string): string[] {
  const lines = text.split("\n").map((line) => line.trim());
  return lines.filter(Boolean).map((line) => (/^[a-z][a-z\d+.-]*:/i.test(line) ? line : `https://${line}`));
}

/** The fields of the delivery form; its links are one text, one per line. */
const deliveryFormSchema = z.object({
  ...deliveryDraftSchema.shape,
  links: z.pipe(z.pipe(z.string(), z.transform(parseLinks)), deliveryDraftSchema.shape.links),
});

/** The form with which the hired freelancer delivers the work. `name` is the client's. */
export function DeliverForm({ task: { _id: id, otherSideLeft }, name }: { task: Task; name: string }) {
  return (
    <SchemaForm
      schema={deliveryFormSchema}
      draft={`delivery.${id}`}
      save={(body, call) => call("POST /tasks/:id/deliveries", { params: { id }, body })}
      success={`Your work is delivered${otherSideLeft ? "" : ", and your client has been notified"}.`}
      submit="Deliver"
      busy="Delivering…"
    >
      <Field
        name="note"
        label="Note"
        hint={`What you have done, and what ${name} should look at first.`}
        type="textarea"
        rows={4}
        limit={DELIVERY_LIMITS.note}
        required
      />
      <Field
        name="links"
        label="Links (optional)"
        hint={`Where the work is: one link per line, up to ${DELIVERY_LIMITS.links}. Only the two of you see them.`}
        type="textarea"
        rows={2}
      />
      <FileField label="Attach files" />
    </SchemaForm>
  );
}

/** A button that opens the form to ask for changes to delivered work. */
export function AskForChanges({ task: { _id: id, otherSideLeft } }: { task: Task }) {
  return (
    <DialogButton title="Ask for changes" className="btn-outline">
      <SchemaForm
        schema={changeRequestSchema}
        draft={`changes.${id}`}
        save={(body, call) => call("POST /tasks/:id/changes", { params: { id }, body })}
        success={otherSideLeft ? undefined : "The freelancer has been notified of the changes."}
        submit="Ask for changes"
        inDialog="back"
      >
        <Field
          name="reason"
          label="What is missing?"
          hint="As exactly as you can: what was agreed, and what should be different."
          type="textarea"
          rows={4}
          limit={DELIVERY_LIMITS.reason}
          required
        />
      </SchemaForm>
    </DialogButton>
  );
}
