import { use, useState } from "react";
import { photoSchema } from "../auth/account-fields.ts";
import { Avatar } from "./avatar.tsx";
import { Field, FormFieldsContext } from "./field.tsx";

type Props = {
  /** The person's name, for the initials shown without a photo. */
  name: string;
  required?: boolean;
};

/** A field for a photo URL, with a preview and a warning if the photo does not load. */
export function PhotoField({ name, required = false }: Props) {
  const { values } = use(FormFieldsContext);
  const [typed, setTyped] = useState(values["photo"] ?? "");
  const [broken, setBroken] = useState("");
  const photo = photoSchema.safeParse(typed).data ?? null;
  return (
    <div className="grid grid-cols-1 gap-1.5">
      <Field
        name="photo"
        label="Photo URL"
        type="url"
        hint="The https address of a picture of you."
        autoComplete="photo"
        enterKeyHint="next"
        placeholder="https://…"
        required={required}
        onChange={setTyped}
      >
        {/* The preview is taller than the field; negative margins keep the field aligned with the one beside it. */}
        <span className="-my-1 flex">
          <Avatar name={name} src={photo} onBroken={setBroken} />
        </span>
      </Field>
      <p role="status" className="text-sm font-medium text-warning empty:hidden">
        {photo &&
          photo === broken &&
          "This picture does not load. Check the address, or use another picture."}
      </p>
    </div>
  );
}
