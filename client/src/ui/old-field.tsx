import { type ReactNode, useLayoutEffect, useRef, useState } from "react";

/** What a control needs to be tied to its label, hint and error. */
type ControlProps = {
  id: string;
  name: string;
  "aria-invalid": true | undefined;
  "aria-describedby": string | undefined;
};

type Props = {
  name: string;
  label: string;
  error?: string | undefined;
  hint?: ReactNode;
  /** How many characters it can have. Nothing is cut: the field tells when it comes near, and what is too much. */
  limit?: number;
  /** Distinguishes two forms on one page. */
  idPrefix?: string;
  children: (control: ControlProps) => ReactNode;
};

/** A label, its control, a hint and the error of that control, tied together for everybody. */
export function Field({ name, label, error, hint, limit, idPrefix = "field", children }: Props) {
  const id = `${idPrefix}-${name}`;
  const { area, length, measure } = useLength(limit !== undefined);
  const isCounted = limit !== undefined && length > limit * NEAR;
  const described = [hint && `${id}-hint`, isCounted && `${id}-count`, error && `${id}-error`];
  return (
    <div ref={area} className="space-y-1.5" onInput={measure}>
      <label htmlFor={id} className="block text-sm font-semibold">
        {label}
      </label>
      {children({
        id,
        name,
        "aria-invalid": error ? true : undefined,
        "aria-describedby": described.filter(Boolean).join(" ") || undefined,
      })}
      {hint && (
        <p id={`${id}-hint`} className="quiet text-sm">
          {hint}
        </p>
      )}
      {isCounted && <Count id={`${id}-count`} length={length} limit={limit} />}
      {error && (
        <p id={`${id}-error`} className="text-sm font-medium text-error">
          {error}
        </p>
      )}
    </div>
  );
}

/** From which part of its limit on a text is counted. */
const NEAR = 0.8;

function Count({ id, length, limit }: { id: string; length: number; limit: number }) {
  const tooMany = length - limit;
  return (
    <p id={id} className={`text-sm tabular-nums ${tooMany > 0 ? "font-medium text-error" : "quiet"}`}>
      {length.toLocaleString("en-US")} of {limit.toLocaleString("en-US")} characters
      <span role="status">{tooMany > 0 && ": too long, nothing was cut."}</span>
    </p>
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

/** Moves focus to the first control that is marked invalid, so that nobody has to look for it. */
export function focusFirstInvalid(form: HTMLFormElement | null): void {
  form?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
}
