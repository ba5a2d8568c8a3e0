import { CircleCheck } from "lucide-react";
import { type ReactNode, useEffect, useRef } from "react";

type Props = {
  /** What came of it. */
  text: string;
  onClose: () => void;
  /** Stands beside Close. */
  more?: ReactNode;
};

/** What a dialog says once its form was sent. Its button takes the focus: the form that had it is gone. */
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
