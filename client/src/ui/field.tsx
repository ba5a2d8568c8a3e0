import {
  type ComponentProps,
  createContext,
  type KeyboardEvent,
  type ReactNode,
  use,
  useLayoutEffect,
  useRef,
  useState,
} from "react";
import { FIRST_FIELD } from "./dialog.tsx";
import { Control, type FieldProps } from "./field-control.tsx";

/** Shared by the fields of a form; `name` distinguishes the forms of a page. */
type FormFields = {
  name: string;
  /** Initial values by field name. */
  values: Record<string, string | undefined>;
  errors: Record<string, string>;
  /** Removes the messages of fields that are gone. */
  forget: (names: readonly string[]) => void;
};

export const FormFieldsContext = createContext<FormFields>({
  ...{ name: "field", values: {}, errors: {} },
  forget: () => undefined,
});

/** What the form knows about one of its fields. */
export function useFormField(name: string) {
  const form = use(FormFieldsContext);
  return { id: `${form.name}-${name}`, initial: form.values[name] ?? "", error: form.errors[name] };
}

/** A form field: label, control, hint and error, associated for assistive technology. */
export function Field({ name, label, hint, limit, children, ...controlProps }: FieldProps) {
  const { id, initial, error } = useFormField(name);
  const { area, length, measure } = useLength(limit !== undefined);
  const isNearLimit = limit !== undefined && length > limit * NEAR_LIMIT;
  // Values that browsers fill in, such as a name, are rarely too long.
  const isCounted = limit !== undefined && (isNearLimit || !controlProps.autoComplete);
  const descriptionIds = [hint && `${id}-hint`, isNearLimit && `${id}-count`, error && `${id}-error`];
  const control = {
    ...controlProps,
    id,
    name,
    initial,
    "aria-invalid": error ? (true as const) : undefined,
    "aria-describedby": descriptionIds.filter(Boolean).join(" ") || undefined,
  };
  if (controlProps.type === "checkbox") {
    return (
      <div className="flex items-start gap-3 text-sm">
        <Control {...control} />
        <div className="space-y-1">
          <label htmlFor={id} className="block font-semibold">
            {label}
          </label>
          <BelowField id={id} hint={hint} error={error} />
        </div>
      </div>
    );
  }
  return (
    <FieldBox
      ref={area}
      onInput={measure}
      id={id}
      label={label}
      isRequired={controlProps.required && !controlProps.readOnly}
      count={isCounted && <Count id={`${id}-count`} length={length} limit={limit} />}
      hint={hint}
      error={error}
    >
      <span className="flex items-center gap-3">
        <Control {...control} />
        {children}
      </span>
    </FieldBox>
  );
}

type BelowProps = { id: string; hint: ReactNode; error: string | undefined };

function BelowField({ id, hint, error }: BelowProps) {
  return (
    <>
      {hint && (
        <p id={`${id}-hint`} className="quiet">
          {hint}
        </p>
      )}
      <FieldError id={id} error={error} />
    </>
  );
}

type BoxProps = ComponentProps<"div"> &
  BelowProps & {
    id: string;
    label: string;
    isRequired?: boolean | undefined;
    /** Shown beside the label. */
    count: ReactNode;
  };

/** The frame of a field: the label above its controls, the hint and the error below. */
export function FieldBox({ id, label, isRequired, count, hint, error, children, ...box }: BoxProps) {
  return (
    <div {...box} className="fieldset grid-cols-1 gap-1.5 py-0 text-sm">
      <span className="flex flex-wrap items-baseline justify-between gap-x-3">
        <label
          htmlFor={id}
          className={`fieldset-legend mb-0 min-w-0 gap-1 py-0 wrap-anywhere ${isRequired ? REQUIRED_MARK : ""}`}
        >
          {label}
        </label>
        {count}
      </span>
      {children}
      <BelowField id={id} hint={hint} error={error} />
    </div>
  );
}

/** Without a text for screen readers, which say that the field is required. */
const REQUIRED_MARK = "after:text-error after:content-['*'/'']";

/** A field's error message, whose id `<id>-error` must be in the control's `aria-describedby`. */
export function FieldError({ id, error }: { id: string; error: string | undefined }) {
  return (
    error && (
      <p id={`${id}-error`} className="text-sm font-medium text-error">
        {error}
      </p>
    )
  );
}

/** The fraction of its limit above which the count is part of the field's description. */
const NEAR_LIMIT = 0.8;

function Count({ id, length, limit }: { id: string; length: number; limit: number }) {
  const isTooLong = length > limit;
  return (
    <span id={id} className={`text-xs tabular-nums ${isTooLong ? "font-semibold text-error" : "quiet"}`}>
      {length.toLocaleString("en-US")} of {limit.toLocaleString("en-US")} characters
      <span role="status">{isTooLong && ": too long. Nothing was cut off."}</span>
    </span>
  );
}

/** The length of the text in the field's control, without surrounding whitespace, as in the contract. */
function useLength(hasLimit: boolean) {
  const area = useRef<HTMLDivElement>(null);
  const [length, setLength] = useState(0);
  const measure = () => {
    if (!hasLimit) return;
    const control = area.current?.querySelector<HTMLInputElement>("input, textarea");
    setLength(control?.value.trim().length ?? 0);
  };
  // The form may change the text without an input event, so measure after every render too.
  useLayoutEffect(measure);
  return { area, length, measure };
}

/**
 * On a touch keyboard with a "next" key, Enter goes to the next field; iOS would submit the incomplete form. In a text
 * area with a "send" key, Enter submits and Shift+Enter inserts a line break.
 */
export function onEnter(event: KeyboardEvent<HTMLFormElement>): void {
  const { key, shiftKey, target, nativeEvent, currentTarget } = event;
  if (key !== "Enter" || isFromInputMethod(nativeEvent)) return;
  if (target instanceof HTMLTextAreaElement && target.getAttribute("enterkeyhint") === "send" && !shiftKey) {
    event.preventDefault();
    currentTarget.requestSubmit();
  }
  if (!(target instanceof HTMLInputElement)) return;
  if (target.enterKeyHint !== "next" || !matchMedia("(pointer: coarse)").matches) return;
  const controls = [...currentTarget.querySelectorAll<HTMLElement>(FIRST_FIELD)];
  event.preventDefault();
  controls[controls.indexOf(target) + 1]?.focus();
}

/**
 * Whether an input method handles this key, such as the Enter that confirms Japanese text. Safari ends the composition
 * before that key is reported, and then only its code, 229, tells.
 */
export function isFromInputMethod({ isComposing, keyCode }: KeyboardEvent["nativeEvent"]): boolean {
  return isComposing || keyCode === 229;
}
