import { type ContactKind, contactKindsIn } from "@tasklane/server/contract";
import { Info } from "lucide-react";
import { useFormText } from "./use-form-text.ts";

const WORDS: Record<ContactKind, string> = {
  email: "an email address",
  phone: "a phone number",
  messenger: "a messenger contact",
};
const LIST = new Intl.ListFormat("en-US");

type Props = {
  fields: readonly string[];
  /** Everybody can read the text, which operators do not check. */
  isPublic?: boolean;
};

/**
 * Within a form: hints, while typing, that contact data is better exchanged after the award, or that it would be
 * public. Rejects nothing.
 */
export function ContactHint({ fields, isPublic }: Props) {
  const { box, text: found } = useFormText<HTMLDivElement>((values) =>
    LIST.format(
      contactKindsIn(...fields.map((name) => String(values.get(name) ?? ""))).map((kind) => WORDS[kind]),
    ),
  );
  return (
    <div ref={box} role="status" className="empty:hidden">
      {found && (
        <p className="flex gap-3 rounded-field bg-info/10 px-4 py-3 text-sm">
          <Info className="size-5 shrink-0 text-info" />
          <span className="min-w-0">
            This seems to contain {found}
            {isPublic
              ? ", which everybody will be able to read."
              : ". It is better to wait: after an award, you both see each other’s email address. You can send it anyway; our team reviews such texts."}
          </span>
        </p>
      )}
    </div>
  );
}
