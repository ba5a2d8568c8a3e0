import { ChevronLeft, ChevronRight, Pause, Play } from "lucide-react";
import { ControlButton, ControlPill } from "./control-pill.tsx";
import type { Carousel } from "./use-carousel.ts";

type Props = {
  carousel: Carousel;
  /** What one slide is called, and several. */
  noun: [one: string, many: string];
  /** Draws a dot for each of so many slides. */
  dots?: number;
};

/** Previous, next, pause, and a dot for each slide. They keep their place, but are not there until they work. */
export function CarouselControls({ carousel, noun: [one, many], dots = 0 }: Props) {
  const { playing, ready } = carousel;
  return (
    <ControlPill className={ready ? "" : "invisible"}>
      <ControlButton label={`Previous ${one}`} icon={ChevronLeft} onClick={carousel.previous} />
      {Array.from({ length: dots }, (_, index) => (
        <Dot
          key={index}
          label={`Go to ${one} ${index + 1}`}
          current={index === carousel.index}
          onClick={() => carousel.goTo(index)}
        />
      ))}
      <ControlButton label={`Next ${one}`} icon={ChevronRight} onClick={carousel.next} />
      <span aria-hidden="true" className="mx-1 h-5 w-px bg-base-300" />
      <ControlButton
        label={playing ? `Pause the ${many}` : `Play the ${many}`}
        icon={playing ? Pause : Play}
        onClick={carousel.toggle}
      />
    </ControlPill>
  );
}

type DotProps = { label: string; current: boolean; onClick: () => void };

function Dot({ label, current, onClick }: DotProps) {
  return (
    <button
      type="button"
      className="group grid h-10 w-7 cursor-pointer place-items-center rounded-full"
      aria-label={label}
      aria-current={current ? "true" : undefined}
      onClick={onClick}
    >
      <span
        className={`h-2 rounded-full transition-all ${current ? "w-6 bg-primary" : "w-2 bg-base-content/50 group-hover:bg-base-content"}`}
      />
    </button>
  );
}
