import { CircleCheck } from "lucide-react";
import { type ReactNode, useEffect, useRef } from "react";

type Props = {
  text: string;
  onClose: () => void;
  /** Shown next to Close. */
  more?: ReactNode;
};

/** A dialog's success message. Its button takes the focus, because it replaces the form that had it. */
export function FormDone({ text, onClose, more }: Props) {
  const close = useRef<HTMLButtonElement>(null);
  useEffect(() => close.current?.focus(), []);
  return (
    <div className="space-y-4">
      <p role="status" className="flex items-start gap-2">
        <CircleCheck aria-hidden="true" className="size-5 shrink-0 text-success" />
        {text}
      </p>
      <div className="flex flex-wrap gap-3">
        <button ref={close} type="button" className="btn btn-primary" onClick={onClose}>
          Close
        </button>
        {more}
      </div>
    </div>
  );
}
