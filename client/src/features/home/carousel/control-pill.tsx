import type { LucideIcon } from "lucide-react";
import type { ReactNode } from "react";

/** What moves a carousel, held together on a surface that reads on any background. */
export function ControlPill({ children, className = "" }: { children: ReactNode; className?: string }) {
  return (
    <div
      className={`inline-flex max-w-full flex-wrap items-center gap-1 rounded-3xl border border-base-300 bg-base-100 p-1 text-base-content ${className}`}
    >
      {children}
    </div>
  );
}

type ButtonProps = { label: string; icon: LucideIcon; onClick: () => void };

/** A round button with an icon; `label` is its name. */
export function ControlButton({ label, icon: Icon, onClick }: ButtonProps) {
  return (
    <button
      type="button"
      className="grid size-10 cursor-pointer place-items-center rounded-full hover:bg-base-200"
      aria-label={label}
      title={label}
      onClick={onClick}
    >
      <Icon aria-hidden="true" className="size-5" />
    </button>
  );
}
