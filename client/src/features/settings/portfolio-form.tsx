import { FILE_LIMITS, type FileInfo, profileFilesSchema } from "@tasklane/server/contract";
import { useState } from "react";
import * as z from "zod/mini";
import { readDraft } from "../../lib/drafts.ts";
import { useApi } from "../../lib/queries.tsx";
import { notify } from "../../ui/notify.tsx";
import { SchemaForm, useDraft } from "../../ui/schema-form.tsx";
import { FileField } from "../files/file-field.tsx";

const portfolioSchema = z.pick(profileFilesSchema, { portfolio: true });

const idsOf = (files: readonly FileInfo[] = []) => files.map(({ _id }) => _id);

/** Pictures and documents of earlier work, which everybody sees in the user's profile. */
export function PortfolioForm({ files }: { files: readonly FileInfo[] | undefined }) {
  const api = useApi();
  const draft = useDraft("portfolio");
  // The stored files that the form, or its draft, began with.
  const [known, setKnown] = useState(() => (readDraft(draft)?.basis as string[] | undefined) ?? idsOf(files));
  return (
    <SchemaForm
      schema={portfolioSchema}
      className="w-full"
      stored={{ portfolio: idsOf(files) }}
      draft="portfolio"
      basis={known}
      save={async ({ portfolio = [] }, call) => {
        const { data: profile } = await api.call("GET /me/profile", {});
        // Saved since, for example in another tab: nobody has removed them here.
        const added = idsOf(profile.portfolio).filter((id) => !known.includes(id) && !portfolio.includes(id));
        await call("PUT /me/files", { body: { portfolio: [...portfolio, ...added] } });
        return portfolio;
      }}
      submit="Save portfolio"
      busy="Saving…"
      onSaved={(portfolio) => {
        setKnown(portfolio);
        notify.success("Your portfolio is saved.", { topic: "portfolio" });
      }}
    >
      <FileField
        name="portfolio"
        label="Add work"
        hint={`Up to ${FILE_LIMITS.count} pictures or documents of earlier work. Everybody can see them.`}
      />
    </SchemaForm>
  );
}
