import type { ReactNode } from "react";

const TONES = {
  good: "bg-success/10 text-success",
  notable: "bg-info/10 text-info",
  quiet: "bg-base-content/8 quiet",
  bad: "bg-error/10 text-error",
} as const;

export type Tone = keyof typeof TONES;

type Props = {
  tone: Tone;
  icon: ReactNode;
  /** True where it stands in a narrow column: then icon and words may stand below each other. */
  wraps?: boolean;
  children: ReactNode;
};

/** A state as a plain word, with an icon and a colour beside it for the quick eye. */
export function StateMark({ tone, icon, wraps = false, children }: Props) {
  return (
    <span
      className={`inline-flex items-center gap-1 rounded-selector px-2 py-0.5 text-sm font-medium ${wraps ? "max-w-full flex-wrap" : "whitespace-nowrap"} ${TONES[tone]}`}
    >
      <span aria-hidden="true" className="[&>svg]:size-3.5">
        {icon}
      </span>
      {children}
    </span>
  );
}
