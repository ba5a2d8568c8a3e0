import { type ReactNode, useState } from "react";
import { flushSync } from "react-dom";
import { photoSchema } from "../auth/account-fields.ts";
import { BROKEN_PHOTO, generatedPhoto, isGeneratedPhoto } from "../auth/photo.ts";
import { useFormText } from "./contact-hint.tsx";
import { Field, useFormField } from "./field.tsx";
import { Avatar } from "./person.tsx";

type Props = {
  /** Starts with the generated picture, and returns to it when it is emptied. */
  required?: boolean;
  /** Another way to give a picture, which calls this with its address. */
  upload?: (use: (address: string) => void) => ReactNode;
};

/** A field for a photo URL, with a preview. A generated picture follows the form's name; any other has to load. */
export function PhotoField({ required = false, upload }: Props) {
  const { box, text: name } = useFormText<HTMLDivElement>((values) => String(values.get("name")));
  const { initial, error } = useFormField("photo");
  const start = initial || (required ? generatedPhoto() : "");
  const [typed, setTyped] = useState(start);
  const [preview, setPreview] = useState<{ src: string | undefined; loaded: boolean }>();
  const isGenerated = isGeneratedPhoto(typed);
  const value = isGenerated ? generatedPhoto(name) : typed;
  const photo = photoSchema.safeParse(value).data;
  const isLoading = photo !== preview?.src;
  const isShown = isLoading ? photo !== start : !preview?.loaded;
  return (
    <div ref={box} className="grid grid-cols-1 gap-1.5">
      <Field
        name="photo"
        label="Photo URL"
        type="url"
        hint={`The https address of a picture of you. Leave it ${required ? "as it is" : "empty"} to show your initials.`}
        autoComplete="photo"
        enterKeyHint="next"
        placeholder="https://…"
        // Another picture may be removed: the generated one returns.
        required={required && isGenerated}
        value={value}
        onChange={setTyped}
        // So that typing or pasting replaces it.
        onClick={({ currentTarget }) => isGenerated && (currentTarget as HTMLInputElement).select()}
        onBlur={() => required && typed.trim() === "" && setTyped(generatedPhoto())}
      >
        {/* The preview is taller than the field; negative margins keep the field aligned with the one beside it. */}
        <span
          className="-my-1 flex"
          onLoadCapture={() => setPreview({ src: photo, loaded: true })}
          onErrorCapture={() => setPreview({ src: photo, loaded: false })}
        >
          <Avatar name={name} src={photo} />
        </span>
      </Field>
      {upload?.((address) => {
        flushSync(() => setTyped(address));
        // So that the form updates its draft.
        box.current?.querySelector("input")?.dispatchEvent(new Event("input", { bubbles: true }));
      })}
      <p role="status" className="text-sm font-medium text-warning empty:absolute">
        {photo && !isGenerated && !error && isShown && (isLoading ? "Checking the picture…" : BROKEN_PHOTO)}
      </p>
    </div>
  );
}
