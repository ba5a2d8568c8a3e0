import { Eye, EyeOff } from "lucide-react";
import { createContext, type ReactNode, use, useLayoutEffect, useRef, useState } from "react";

/** What the fields of a form share; `name` tells two forms of one page apart. */
type FormFields = {
  name: string;
  /** What the fields start with, by name. */
  values: Record<string, string | undefined>;
  errors: Record<string, string>;
};

export const FormFieldsContext = createContext<FormFields>({ name: "field", values: {}, errors: {} });

type Props = {
  /** As the form's schema calls it. */
  name: string;
  label: string;
  hint?: ReactNode;
  type?: "text" | "email" | "url" | "date" | "number" | "password" | "textarea" | "checkbox";
  /** Makes it a select: values and their texts, after the placeholder. */
  options?: readonly (readonly [value: string, text: string])[];
  /** How many characters it can have. They are counted beside the label; nothing is cut, the field says what is too much. */
  limit?: number;
  /** Stands before the value, as a currency does. */
  unit?: string;
  /** Stands beside the control. */
  children?: ReactNode;
  /** Shown instead of what the form starts with. */
  value?: string;
  onChange?: (value: string) => void;
  required?: boolean;
  readOnly?: boolean;
  autoComplete?: string;
  inputMode?: "decimal" | "numeric";
  /** What Enter does, on the key of a screen keyboard. With "next" it goes to the next field there; see ActionForm. */
  enterKeyHint?: "next" | "go" | "send";
  placeholder?: string;
  rows?: number;
  min?: string;
  max?: string;
  step?: string;
};

/** One field of a form: label, control, hint and error, tied together for everybody. */
export function Field({ name, label, hint, limit, children, ...wanted }: Props) {
  const form = use(FormFieldsContext);
  const id = `${form.name}-${name}`;
  const error = form.errors[name];
  const { area, length, measure } = useLength(limit !== undefined);
  const isNear = limit !== undefined && length > limit * NEAR;
  // What browsers fill in, such as a name, is hardly ever too long.
  const isCounted = limit !== undefined && (isNear || !wanted.autoComplete);
  const described = [hint && `${id}-hint`, isNear && `${id}-count`, error && `${id}-error`];
  const control = {
    ...wanted,
    id,
    name,
    start: form.values[name] ?? "",
    "aria-invalid": error ? (true as const) : undefined,
    "aria-describedby": described.filter(Boolean).join(" ") || undefined,
  };
  const below = (
    <>
      {hint && (
        <p id={`${id}-hint`} className="quiet">
          {hint}
        </p>
      )}
      <FieldError id={id} error={error} />
    </>
  );
  if (wanted.type === "checkbox") {
    return (
      <div className="flex items-start gap-3 text-sm">
        <Control {...control} />
        <div className="space-y-1">
          <label htmlFor={id} className="block font-semibold">
            {label}
          </label>
          {below}
        </div>
      </div>
    );
  }
  return (
    <div ref={area} className="fieldset grid-cols-1 gap-1.5 py-0 text-sm" onInput={measure}>
      <span className="flex flex-wrap items-baseline justify-between gap-x-3">
        <label htmlFor={id} className="fieldset-legend mb-0 min-w-0 py-0 wrap-anywhere">
          {label}
        </label>
        {isCounted && <Count id={`${id}-count`} length={length} limit={limit} />}
      </span>
      <span className="flex items-center gap-3">
        <Control {...control} />
        {children}
      </span>
      {below}
    </div>
  );
}

/** What is wrong with a field; its control is described by `<id>-error`. */
export function FieldError({ id, error }: { id: string; error: string | undefined }) {
  return (
    error && (
      <p id={`${id}-error`} className="text-sm font-medium text-error">
        {error}
      </p>
    )
  );
}

type ControlProps = Omit<Props, "label" | "hint" | "limit" | "children"> & {
  id: string;
  start: string;
  "aria-invalid": true | undefined;
  "aria-describedby": string | undefined;
};

function Control({
  type = "text",
  options,
  unit,
  placeholder,
  value,
  start,
  onChange,
  ...control
}: ControlProps) {
  const [isShown, setIsShown] = useState(false);
  const locked = control.readOnly ? "bg-base-200" : "";
  if (options) {
    const { readOnly, ...select } = control;
    return (
      <select {...select} className={`select w-full ${locked}`} defaultValue={start}>
        <option value="" disabled>
          {placeholder}
        </option>
        {/* A select knows no readOnly, and a disabled one is not sent: here it offers only what it holds. */}
        {options
          .filter(([option]) => !readOnly || option === start)
          .map(([option, text]) => (
            <option key={option} value={option}>
              {text}
            </option>
          ))}
      </select>
    );
  }
  if (type === "textarea")
    return (
      <textarea
        {...control}
        placeholder={placeholder}
        dir="auto"
        className={`textarea w-full ${locked}`}
        defaultValue={start}
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
        defaultChecked={start === "on"}
        // A checkbox knows no readOnly either.
        onClick={(event) => readOnly && event.preventDefault()}
      />
    );
  }
  const input = {
    ...control,
    type: isShown ? "text" : type,
    // Addresses, numbers and passwords are written from left to right in every language.
    dir: type === "text" ? "auto" : undefined,
    placeholder,
    onChange: onChange && ((event: { target: HTMLInputElement }) => onChange(event.target.value)),
    ...(value === undefined ? { defaultValue: start } : { value }),
  };
  if (type !== "password" && !unit) return <input {...input} className={`input w-full ${locked}`} />;
  const Icon = isShown ? EyeOff : Eye;
  return (
    <span className={`input w-full ${locked} ${unit ? "" : "pr-1"}`}>
      {unit && <span aria-hidden="true">{unit}</span>}
      <input {...input} className="grow" />
      {type === "password" && (
        <button
          type="button"
          className="btn btn-square btn-ghost btn-sm"
          aria-label={isShown ? "Hide password" : "Show password"}
          onClick={() => setIsShown(!isShown)}
        >
          <Icon aria-hidden="true" className="size-4" />
        </button>
      )}
    </span>
  );
}

/** From which part of its limit on the count is part of the field's description. */
const NEAR = 0.8;

function Count({ id, length, limit }: { id: string; length: number; limit: number }) {
  const isTooLong = length > limit;
  return (
    <span id={id} className={`text-xs tabular-nums ${isTooLong ? "font-semibold text-error" : "quiet"}`}>
      {length.toLocaleString("en-US")} of {limit.toLocaleString("en-US")} characters
      <span role="status">{isTooLong && ": too long, nothing was cut."}</span>
    </span>
  );
}

/** How long the text in the field's control is, counted as the contract does: without the space around it. */
function useLength(isWanted: boolean) {
  const area = useRef<HTMLDivElement>(null);
  const [length, setLength] = useState(0);
  const measure = () => {
    if (!isWanted) return;
    const control = area.current?.querySelector<HTMLInputElement>("input, textarea");
    setLength(control?.value.trim().length ?? 0);
  };
  // A form may also put a text there itself.
  useLayoutEffect(measure);
  return { area, length, measure };
}
