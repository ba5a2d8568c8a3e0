import type { BidState } from "@tasklane/server/contract";
import { BadgeCheck, CircleMinus, Send, Star } from "lucide-react";
import type { ReactNode } from "react";
import { StateMark, type Tone } from "../../ui/state-mark.tsx";

const LOOKS: Record<BidState, { word: string; tone: Tone; icon: ReactNode }> = {
  placed: { word: "Placed", tone: "quiet", icon: <Send /> },
  shortlisted: { word: "Shortlisted", tone: "notable", icon: <Star /> },
  declined: { word: "Declined", tone: "bad", icon: <CircleMinus /> },
  awarded: { word: "Awarded", tone: "good", icon: <BadgeCheck /> },
};

/** What a state of a bid is called. */
export const bidStateWord = (state: BidState): string => LOOKS[state].word;

/** The state of a bid in a word. */
export function BidStateMark({ state }: { state: BidState }) {
  const { word, tone, icon } = LOOKS[state];
  return (
    <StateMark tone={tone} icon={icon}>
      {word}
    </StateMark>
  );
}
