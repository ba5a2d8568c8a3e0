import { type ContactKind, contactKindsIn } from "@tasklane/server/contract";
import { Info } from "lucide-react";
import { useLayoutEffect, useRef, useState } from "react";

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
    <div ref={box} role="status" className="empty:absolute">
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

/**
 * A text that depends on what is typed in a form. `box` belongs on an element within the form.
 * @param textFor computes it from the form's current values.
 */
export function useFormText<E extends HTMLElement>(textFor: (values: FormData) => string) {
  const box = useRef<E>(null);
  const [text, setText] = useState("");
  // After every render, because the form may change the values without an input event. A layout effect, so that the text
  // is there as soon as the form is.
  useLayoutEffect(() => {
    const form = box.current?.closest("form");
    if (!form) return;
    const check = () => setText(textFor(new FormData(form)));
    check();
    form.addEventListener("input", check);
    return () => form.removeEventListener("input", check);
  });
  return { box, text };
}
