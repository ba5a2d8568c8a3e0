import { use, useEffect, useState } from "react";
import { photoSchema } from "../auth/account-fields.ts";
import { generatedPhoto, isGeneratedPhoto, photoProblem } from "../auth/photo.ts";
import { Avatar } from "./avatar.tsx";
import { Field, FormFieldsContext } from "./field.tsx";

type Props = {
  /** The person's name, for a generated picture of its initials. */
  name: string;
  /** Starts with the generated picture, and returns to it when it is emptied. */
  required?: boolean;
};

/** A field for a photo URL, with a preview. A generated picture follows the name; any other is checked. */
export function PhotoField({ name, required = false }: Props) {
  const { values, errors } = use(FormFieldsContext);
  const [stored] = useState(values["photo"] || (required ? generatedPhoto() : ""));
  const [typed, setTyped] = useState(stored);
  const value = isGeneratedPhoto(typed) ? generatedPhoto(name) : typed;
  const photo = photoSchema.safeParse(value).data;
  const check = useCheck(photo);
  const isChecking = !check && photo !== stored;
  return (
    <div className="grid grid-cols-1 gap-1.5">
      <Field
        name="photo"
        label="Photo URL"
        type="url"
        hint={
          required
            ? "A picture of your initials, unless you enter the https address of another one."
            : "The https address of a picture of you. Without one, your initials are shown."
        }
        autoComplete="photo"
        enterKeyHint="next"
        placeholder="https://…"
        required={required}
        value={value}
        onChange={setTyped}
        // So that typing or pasting replaces it.
        onClick={({ currentTarget }) =>
          isGeneratedPhoto(value) && (currentTarget as HTMLInputElement).select()
        }
        onBlur={() => required && typed.trim() === "" && setTyped(generatedPhoto())}
      >
        {/* The preview is taller than the field; negative margins keep the field aligned with the one beside it. */}
        <span className="-my-1 flex">
          <Avatar name={name} src={isChecking || check?.problem ? null : photo} />
        </span>
      </Field>
      <p role="status" className="text-sm font-medium text-warning empty:hidden">
        {photo && !errors["photo"] && (isChecking ? "Checking the picture…" : check?.problem)}
      </p>
    </div>
  );
}

/** Time after the last change before the picture is loaded, in ms. */
const PAUSE_MS = 300;

/** The result of loading a picture; undefined until known. */
function useCheck(photo: string | undefined): { problem: string | undefined } | undefined {
  const [check, setCheck] = useState<{ photo: string; problem: string | undefined }>();
  const isGenerated = photo !== undefined && isGeneratedPhoto(photo);
  useEffect(() => {
    if (photo === undefined || isGenerated) return;
    let isCurrent = true;
    const timer = window.setTimeout(async () => {
      const problem = await photoProblem(photo);
      if (isCurrent) setCheck({ photo, problem });
    }, PAUSE_MS);
    return () => {
      isCurrent = false;
      window.clearTimeout(timer);
    };
  }, [photo, isGenerated]);
  if (isGenerated) return { problem: undefined };
  return check?.photo === photo ? check : undefined;
}
