import { X } from "lucide-react";
import { type KeyboardEvent, useEffect, useEffectEvent, useRef, useState } from "react";
import { Options } from "./choice.tsx";
import { FieldBox, isFromInputMethod, useFormField } from "./field.tsx";

type Props = {
  /** The field's name in the form's schema. Submitted as one text with a line per item. */
  name: string;
  label: string;
  /** The noun for one item: "skill". */
  item: string;
  hint: string;
  /** The maximum number of items. More can be added, and are then reported as too many. */
  max: number;
  /** Turns the input into a select with these values and labels. */
  options?: readonly (readonly [value: string, text: string])[];
  /** Separates items that are typed or pasted together. */
  separator?: RegExp;
  inputMode?: "url";
  placeholder?: string;
  /** Shows the items, which cannot be changed. */
  readOnly?: boolean;
};

const LINES = /\n/;

/**
 * A list of short texts, which can be typed or selected, added with Enter or the button, and removed. Text that is
 * typed but not added yet is part of the value too, and added when the form is sent.
 */
export function ListField({
  name,
  label,
  item,
  hint,
  max,
  options,
  separator = LINES,
  readOnly,
  ...rest
}: Props) {
  const { id, initial, error } = useFormField(name);
  const [items, setItems] = useState(() => partsOf(initial, LINES));
  const [pending, setPending] = useState("");
  const [announcement, setAnnouncement] = useState("");
  const control = useRef<HTMLInputElement & HTMLSelectElement>(null);
  const added = partsOf(pending, separator).filter((entry) => !items.includes(entry));
  const value = [...items, ...added].join("\n");
  const textOf = (entry: string) => options?.find(([code]) => code === entry)?.[1] ?? entry;

  const addPending = () => {
    setItems([...items, ...added]);
    setPending("");
    if (added.length > 0) setAnnouncement(`Added ${added.map(textOf).join(", ")}.`);
  };
  const hiddenInput = useHiddenInput(value, addPending);
  const add = () => {
    addPending();
    control.current?.focus();
  };
  const remove = (entry: string) => {
    setItems(items.filter((other) => other !== entry));
    setAnnouncement(`Removed ${textOf(entry)}.`);
    // The focused button is removed.
    control.current?.focus();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== "Enter" || isFromInputMethod(event.nativeEvent) || pending.trim() === "") return;
    event.preventDefault();
    add();
  };
  const shared = {
    ref: control,
    id,
    value: pending,
    "aria-invalid": error ? (true as const) : undefined,
    "aria-describedby": [`${id}-hint`, `${id}-count`, error && `${id}-error`].filter(Boolean).join(" "),
    onChange: (event: { target: { value: string } }) => setPending(event.target.value),
  };
  return (
    <FieldBox
      id={id}
      label={label}
      count={
        <span
          id={`${id}-count`}
          className={`text-xs tabular-nums ${items.length > max ? "font-semibold text-error" : "quiet"}`}
        >
          {items.length} of {max}
        </span>
      }
      hint={hint}
      error={error}
    >
      <input ref={hiddenInput} type="hidden" name={name} value={value} />
      {items.length > 0 && (
        <ul aria-label={`Chosen ${label.toLowerCase()}`} className="flex flex-wrap gap-2">
          {items.map((entry) => (
            <li
              key={entry}
              className="flex max-w-full items-center gap-1 rounded-field bg-base-200 py-0.5 pr-0.5 pl-3"
            >
              <bdi className="min-w-0 wrap-anywhere">{textOf(entry)}</bdi>
              {!readOnly && (
                <button
                  type="button"
                  className="btn btn-square btn-ghost btn-sm"
                  aria-label={`Remove ${textOf(entry)}`}
                  onClick={() => remove(entry)}
                >
                  <X />
                </button>
              )}
            </li>
          ))}
        </ul>
      )}
      <span className="flex items-center gap-3">
        {options ? (
          <select {...shared} className="select w-full">
            <option value="">Choose a {item}</option>
            <Options options={options.filter(([code]) => !items.includes(code))} />
          </select>
        ) : (
          <input
            {...shared}
            {...rest}
            dir={rest.inputMode ? undefined : "auto"}
            className="input w-full"
            readOnly={readOnly}
            autoComplete="off"
            enterKeyHint="enter"
            onKeyDown={onKeyDown}
          />
        )}
        {!readOnly && (
          <button type="button" className="btn btn-outline" aria-label={`Add ${item}`} onClick={add}>
            Add
          </button>
        )}
      </span>
      <p role="status" className="sr-only">
        {announcement}
      </p>
    </FieldBox>
  );
}

/** Dispatches an input event for each change of the hidden input, so that the form updates its draft. */
export function useHiddenInput(value: string, onSubmit: () => void = () => undefined) {
  const input = useRef<HTMLInputElement>(null);
  const submitted = useEffectEvent(onSubmit);
  useEffect(() => {
    const form = input.current?.form;
    const listener = () => submitted();
    form?.addEventListener("submit", listener);
    return () => form?.removeEventListener("submit", listener);
  }, []);
  const previous = useRef(value);
  useEffect(() => {
    if (previous.current === value) return;
    previous.current = value;
    input.current?.dispatchEvent(new Event("input", { bubbles: true }));
  }, [value]);
  return input;
}

function partsOf(text: string, separator: RegExp): string[] {
  const parts = text.split(separator).map((part) => part.trim());
  return [...new Set(parts.filter((part) => part !== ""))];
}
