import { MailWarning } from "lucide-react";
import type { ReactNode } from "react";

const TONES = {
  good: "badge-success",
  notable: "badge-info",
  quiet: "badge-neutral",
  bad: "badge-error",
} as const;

export type Tone = keyof typeof TONES;

type Props = {
  tone: Tone;
  icon: ReactNode;
  /** For narrow columns: allows a line break between icon and text. */
  wraps?: boolean;
  children: ReactNode;
};

/** A state as text, with an icon and a color. */
export function StateBadge({ tone, icon, wraps = false, children }: Props) {
  return (
    <span
      className={`badge badge-soft gap-1 px-2 font-medium ${wraps ? "h-auto max-w-full flex-wrap" : "whitespace-nowrap"} ${TONES[tone]}`}
    >
      <span aria-hidden="true" className="[&>svg]:size-3.5">
        {icon}
      </span>
      {children}
    </span>
  );
}

/** Shown next to an email address that is not verified. */
export function UnverifiedBadge() {
  return (
    <StateBadge tone="notable" icon={<MailWarning />} wraps>
      not verified
    </StateBadge>
  );
}
