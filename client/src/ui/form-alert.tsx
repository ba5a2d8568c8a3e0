import { CircleAlert } from "lucide-react";
import { type ReactNode, useLayoutEffect, useRef } from "react";

type Props = {
  /** False for what nobody has just asked for: it is announced, but leaves the focus where it is. */
  takesFocus?: boolean;
  children?: ReactNode;
};

/**
 * Why a form was not accepted, above its button, where the person is looking. It takes the focus, which also brings it
 * into view. The live region is always there, so that the text is announced.
 */
export function FormAlert({ takesFocus = true, children }: Props) {
  return (
    <div role="alert" className="empty:hidden">
      {children && <Reason takesFocus={takesFocus}>{children}</Reason>}
    </div>
  );
}

function Reason({ takesFocus, children }: Required<Props>) {
  const box = useRef<HTMLDivElement>(null);
  // With the text, and not a moment later.
  useLayoutEffect(() => {
    if (takesFocus) box.current?.focus();
  }, [takesFocus]);
  return (
    <div
      ref={box}
      tabIndex={-1}
      // Clear of the top bar, and of the dashboard's tab bar on small screens.
      className="flex scroll-my-28 items-start gap-3 rounded-field border border-error/40 bg-error/8 px-4 py-3 text-sm"
    >
      <CircleAlert aria-hidden="true" className="mt-0.5 size-5 shrink-0 text-error" />
      <div className="min-w-0 wrap-anywhere">{children}</div>
    </div>
  );
}
