import type { ReactNode } from "react";

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
  /** Distinguishes two forms on one page. */
  idPrefix?: string;
  children: (control: ControlProps) => ReactNode;
};

/** A label, its control, a hint and the error of that control, tied together for everybody. */
export function Field({ name, label, error, hint, idPrefix = "field", children }: Props) {
  const id = `${idPrefix}-${name}`;
  const described = [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(" ");
  return (
    <div className="space-y-1.5">
      <label htmlFor={id} className="block text-sm font-semibold">
        {label}
      </label>
      {children({
        id,
        name,
        "aria-invalid": error ? true : undefined,
        "aria-describedby": described || undefined,
      })}
      {hint && (
        <p id={`${id}-hint`} className="quiet text-sm">
          {hint}
        </p>
      )}
      {error && (
        <p id={`${id}-error`} className="text-sm font-medium text-error">
          {error}
        </p>
      )}
    </div>
  );
}

/** Moves focus to the first control that is marked invalid, so that nobody has to look for it. */
export function focusFirstInvalid(form: HTMLFormElement | null): void {
  form?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
}
