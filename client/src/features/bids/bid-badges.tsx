import { type BidState, MAX_SENT_TO } from "@tasklane/server/contract";
import { BadgeCheck, CircleMinus, Copy, Send, Star } from "lucide-react";
import type { ReactNode } from "react";
import { plural } from "../../lib/format.ts";
import { StateBadge, type Tone } from "../../ui/state-badge.tsx";

const BADGES: Record<BidState, { word: string; tone: Tone; icon: ReactNode }> = {
  placed: { word: "Placed", tone: "quiet", icon: <Send /> },
  shortlisted: { word: "Shortlisted", tone: "notable", icon: <Star /> },
  declined: { word: "Declined", tone: "bad", icon: <CircleMinus /> },
  awarded: { word: "Awarded", tone: "good", icon: <BadgeCheck /> },
};

/** The display name of a bid's state. */
export const bidStateWord = (state: BidState): string => BADGES[state].word;

/** A badge with the state of a bid. */
export function BidStateBadge({ state }: { state: BidState }) {
  const { word, tone, icon } = BADGES[state];
  return (
    <StateBadge tone={tone} icon={icon}>
      {word}
    </StateBadge>
  );
}

/** "Sent to 14 other tasks": marks a message that is nearly the same as earlier ones by the same freelancer. */
export function SentToBadge({ count }: { count: number | undefined }) {
  if (!count) return null;
  return (
    <p>
      <StateBadge tone="quiet" icon={<Copy />} wraps>
        <span>
          <span className="sr-only">Nearly the same message: </span>
          {count >= MAX_SENT_TO
            ? `Sent to ${MAX_SENT_TO} or more other tasks`
            : `Sent to ${plural(count, "other task")}`}
        </span>
      </StateBadge>
    </p>
  );
}
