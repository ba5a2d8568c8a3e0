import { useQueryClient } from "@tanstack/react-query";
import { FILE_LIMITS, type FileInfo, profileFilesSchema } from "@tasklane/server/contract";
import * as z from "zod/mini";
import { notify } from "../../ui/notify.tsx";
import { SchemaForm } from "../../ui/schema-form.tsx";
import { FileField } from "../files/file-field.tsx";

const schema = z.pick(profileFilesSchema, { portfolio: true });

/** Pictures and documents of earlier work, which everybody sees in the user's profile. */
export function PortfolioForm({ files }: { files: readonly FileInfo[] | undefined }) {
  const queryClient = useQueryClient();
  return (
    <SchemaForm
      schema={schema}
      className="w-full"
      name="portfolio"
      stored={{ portfolio: files?.map(({ _id }) => _id) }}
      draft="portfolio"
      save={async (body, call) => {
        await call("PUT /me/files", { body });
        await queryClient.invalidateQueries({ queryKey: ["people"] });
      }}
      submit="Save portfolio"
      busy="Saving…"
      onSaved={() => notify.success("Your portfolio is saved.", { topic: "portfolio" })}
    >
      <FileField
        name="portfolio"
        label="Add work"
        hint={`Up to ${FILE_LIMITS.count} pictures or documents of earlier work. Everybody can see them.`}
      />
    </SchemaForm>
  );
}
