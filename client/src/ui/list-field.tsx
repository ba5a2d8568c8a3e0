import { X } from "lucide-react";
import { type KeyboardEvent, use, useEffect, useRef, useState } from "react";
import { FieldError, FormFieldsContext } from "./field.tsx";

type Props = {
  /** As the form's schema calls it. Sent as one text with a line for each item; see {@link listValue}. */
  name: string;
  label: string;
  /** What one item is called: "skill". */
  item: string;
  hint: string;
  /** How many items there can be. More can be added, and the field says that they are too many: nothing is cut. */
  max: number;
  /** Makes it a choice: values and their texts. */
  options?: readonly (readonly [value: string, text: string])[];
  /** What stands between items that are typed or pasted together. */
  separator?: RegExp;
  inputMode?: "url";
  placeholder?: string;
};

/** The items of a list as its field starts with them. */
export function listValue(items: readonly string[]): string {
  return items.join("\n");
}

const LINES = /\n/;

/**
 * A list of short texts: each is typed or chosen, and added with Enter or the button; each can be removed. What is typed and
 * not added yet belongs to it, too.
 */
export function ListField({ name, label, item, hint, max, options, separator = LINES, ...typing }: Props) {
  const form = use(FormFieldsContext);
  const id = `${form.name}-${name}`;
  const error = form.errors[name];
  const [items, setItems] = useState(() => partsOf(form.values[name] ?? "", LINES));
  const [pending, setPending] = useState("");
  const [news, setNews] = useState("");
  const control = useRef<HTMLInputElement & HTMLSelectElement>(null);
  const value = listValue([...items, ...partsOf(pending, separator)]);
  const sent = useSentValue(value);
  const textOf = (one: string) => options?.find(([code]) => code === one)?.[1] ?? one;

  const add = () => {
    const fresh = partsOf(pending, separator).filter((one) => !items.includes(one));
    setItems([...items, ...fresh]);
    setPending("");
    if (fresh.length > 0) setNews(`Added ${fresh.map(textOf).join(", ")}.`);
    control.current?.focus();
  };
  const remove = (one: string) => {
    setItems(items.filter((other) => other !== one));
    setNews(`Removed ${textOf(one)}.`);
    // The button that had the focus is gone.
    control.current?.focus();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== "Enter" || event.nativeEvent.isComposing || pending.trim() === "") return;
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
    <div className="fieldset grid-cols-1 gap-1.5 py-0 text-sm">
      <input ref={sent} type="hidden" name={name} value={value} />
      <span className="flex flex-wrap items-baseline justify-between gap-x-3">
        <label htmlFor={id} className="fieldset-legend mb-0 py-0">
          {label}
        </label>
        <span
          id={`${id}-count`}
          className={`text-xs tabular-nums ${items.length > max ? "font-semibold text-error" : "quiet"}`}
        >
          {items.length} of {max}
        </span>
      </span>
      {items.length > 0 && (
        <ul aria-label={`Chosen ${label.toLowerCase()}`} className="flex flex-wrap gap-2">
          {items.map((one) => (
            <li
              key={one}
              className="flex max-w-full items-center gap-1 rounded-field bg-base-200 py-0.5 pr-0.5 pl-3"
            >
              <bdi className="min-w-0 wrap-anywhere">{textOf(one)}</bdi>
              <button
                type="button"
                className="btn btn-square btn-ghost btn-sm"
                aria-label={`Remove ${textOf(one)}`}
                onClick={() => remove(one)}
              >
                <X aria-hidden="true" className="size-4" />
              </button>
            </li>
          ))}
        </ul>
      )}
      <span className="flex items-center gap-3">
        {options ? (
          <select {...shared} className="select w-full">
            <option value="">Choose a {item}</option>
            {options
              .filter(([code]) => !items.includes(code))
              .map(([code, text]) => (
                <option key={code} value={code}>
                  {text}
                </option>
              ))}
          </select>
        ) : (
          <input
            {...shared}
            {...typing}
            dir={typing.inputMode ? undefined : "auto"}
            className="input w-full"
            autoComplete="off"
            enterKeyHint="enter"
            onKeyDown={onKeyDown}
          />
        )}
        <button type="button" className="btn btn-outline" aria-label={`Add ${item}`} onClick={add}>
          Add
        </button>
      </span>
      <p id={`${id}-hint`} className="quiet">
        {hint}
      </p>
      <p role="status" className="sr-only">
        {news}
      </p>
      <FieldError id={id} error={error} />
    </div>
  );
}

/** Lets the form know of each change of the hidden input, as if somebody had typed in it: it keeps a draft. */
function useSentValue(value: string) {
  const input = useRef<HTMLInputElement>(null);
  const told = useRef(value);
  useEffect(() => {
    if (told.current === value) return;
    told.current = value;
    input.current?.dispatchEvent(new Event("input", { bubbles: true }));
  }, [value]);
  return input;
}

function partsOf(text: string, separator: RegExp): string[] {
  const parts = text.split(separator).map((part) => part.trim());
  return [...new Set(parts.filter((part) => part !== ""))];
}
