import { Eye, EyeOff } from "lucide-react";
import { type ReactNode, useState } from "react";
import { Options } from "./choice.tsx";

export type FieldProps = {
  /** The field's name in the form's schema. */
  name: string;
  label: string;
  hint?: ReactNode;
  type?: "text" | "email" | "url" | "date" | "password" | "textarea" | "checkbox";
  /** Turns the field into a select with these values and labels, after the placeholder. */
  options?: readonly (readonly [value: string, text: string])[];
  /** The maximum number of characters. They are counted next to the label; a longer text is reported, not truncated. */
  limit?: number;
  /** Shown before the value, such as a currency. */
  unit?: string;
  /** Shown next to the control. */
  children?: ReactNode;
  /** Makes the field controlled, instead of starting with the form's value. */
  value?: string;
  onChange?: (value: string) => void;
  onClick?: (event: { currentTarget: EventTarget }) => void;
  onBlur?: () => void;
  required?: boolean;
  readOnly?: boolean;
  autoComplete?: string;
  /** For a number, which is typed as text: the keyboard of touch screens. */
  inputMode?: "decimal" | "numeric";
  /** The Enter key of touch keyboards. With "next" it goes to the next field; see SchemaForm. */
  enterKeyHint?: "next" | "go" | "send";
  placeholder?: string;
  rows?: number;
  min?: string;
};

type ControlProps = Omit<FieldProps, "label" | "hint" | "limit" | "children"> & {
  id: string;
  initial: string;
  "aria-invalid": true | undefined;
  "aria-describedby": string | undefined;
};

/** The input, select or text area of a field. */
export function Control({
  type = "text",
  options,
  unit,
  placeholder,
  value,
  inputMode = unit ? "decimal" : undefined,
  initial,
  onChange,
  ...control
}: ControlProps) {
  const [isShown, setIsShown] = useState(false);
  const background = control.readOnly ? "bg-base-200" : "";
  if (options) {
    const { readOnly, ...select } = control;
    return (
      <select {...select} className={`select w-full ${background}`} defaultValue={initial}>
        <option value="" disabled={control.required}>
          {placeholder}
        </option>
        {/* A select has no readOnly and a disabled one is not submitted, so it offers only its current option. */}
        <Options options={options.filter(([option]) => !readOnly || option === initial)} />
      </select>
    );
  }
  if (type === "textarea")
    return (
      <textarea
        {...control}
        placeholder={placeholder}
        dir="auto"
        className={`textarea w-full ${background}`}
        defaultValue={initial}
      />
    );
  if (type === "checkbox") {
    const { id, name, readOnly } = control;
    return (
      <input
        id={id}
        name={name}
        aria-describedby={control["aria-describedby"]}
        type="checkbox"
        value="on"
        className="checkbox mt-0.5 checkbox-primary"
        defaultChecked={initial === "on"}
        // A checkbox has no readOnly either.
        onClick={(event) => readOnly && event.preventDefault()}
      />
    );
  }
  const input = {
    ...control,
    type: isShown ? "text" : type,
    // Email addresses, URLs, numbers and passwords are written from left to right in every language.
    dir: type === "text" && !inputMode ? "auto" : undefined,
    inputMode,
    // Without it, browsers take years of six digits.
    ...(type === "date" && { max: "2099-12-31" }),
    // A shown password must not be corrected, nor spell-checked, which some browsers do on their maker's servers.
    ...(type === "password" && { spellCheck: false, autoCapitalize: "none", autoCorrect: "off" }),
    placeholder,
    onChange: onChange && ((event: { target: HTMLInputElement }) => onChange(event.target.value)),
    ...(value === undefined ? { defaultValue: initial } : { value }),
  };
  if (type !== "password" && !unit) return <input {...input} className={`input w-full ${background}`} />;
  const Icon = isShown ? EyeOff : Eye;
  return (
    <span className={`input w-full ${background} ${unit ? "" : "pr-1"}`}>
      {unit && <span aria-hidden="true">{unit}</span>}
      <input {...input} className="grow" />
      {type === "password" && (
        <button
          type="button"
          className="btn btn-square btn-ghost btn-sm"
          aria-label={isShown ? "Hide password" : "Show password"}
          onClick={() => setIsShown(!isShown)}
        >
          <Icon />
        </button>
      )}
    </span>
  );
}
