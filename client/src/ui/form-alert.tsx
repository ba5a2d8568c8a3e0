import { CircleAlert } from "lucide-react";
import type { ReactNode } from "react";

/** Why a form was not accepted, above its fields. The live region is always there, so that the text is announced. */
export function FormAlert({ children }: { children?: ReactNode }) {
  return (
    <div role="alert" className="empty:hidden">
      {children && (
        <div className="flex items-start gap-3 rounded-field border border-error/40 bg-error/8 px-4 py-3 text-sm">
          <CircleAlert aria-hidden="true" className="mt-0.5 size-5 shrink-0 text-error" />
          <div>{children}</div>
        </div>
      )}
    </div>
  );
}
