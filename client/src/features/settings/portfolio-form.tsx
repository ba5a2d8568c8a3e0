import { useQueryClient } from "@tanstack/react-query";
import { FILE_LIMITS, type FileInfo, profileFilesSchema } from "@tasklane/server/contract";
import * as z from "zod/mini";
import { useApi } from "../../lib/api-context.tsx";
import { formValues, submitForm } from "../../lib/forms.ts";
import { useSubmission } from "../../lib/submission.ts";
import { ActionForm } from "../../ui/action-form.tsx";
import { notify } from "../../ui/notify.tsx";
import { FileField } from "../files/file-field.tsx";

const portfolioSchema = z.object({ portfolio: profileFilesSchema.shape.portfolio });

/** Pictures and documents of earlier work, which everybody sees in the user's profile. */
export function PortfolioForm({ files }: { files: readonly FileInfo[] | undefined }) {
  const api = useApi();
  const queryClient = useQueryClient();
  const saving = useSubmission((form: FormData) =>
    submitForm(form, portfolioSchema, async (body, idempotencyKey) => {
      await api.call("PUT /me/files", { body, idempotencyKey });
      await queryClient.invalidateQueries({ queryKey: ["people"] });
      return {};
    }),
  );
  return (
    <ActionForm
      submission={saving}
      name="portfolio"
      values={formValues(portfolioSchema, { portfolio: files?.map(({ _id }) => _id) })}
      submit="Save portfolio"
      busy="Saving…"
      onResult={({ ok }) => ok && notify.success("Your portfolio is saved.", { topic: "portfolio" })}
    >
      <FileField
        name="portfolio"
        label="Add work"
        hint={`Up to ${FILE_LIMITS.count} pictures or documents of earlier work. Everybody can see them.`}
      />
    </ActionForm>
  );
}
