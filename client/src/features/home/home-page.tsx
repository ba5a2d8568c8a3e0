import { type ReactNode, useRef } from "react";
import { PageMeta } from "../../ui/page-meta.tsx";
import { BetterJob } from "./better-job.tsx";
import { CategoryCarousel } from "./category-carousel.tsx";
import { FeaturedSection } from "./featured-section.tsx";
import { Feedback } from "./feedback/feedback.tsx";
import { HeroSlider } from "./hero-slider/hero-slider.tsx";
import { HowItWorks } from "./how-it-works.tsx";
import { useReveal } from "./motion/use-reveal.ts";

/** SPEC section 2, Home. `featured` is the grid of featured tasks. */
export function HomePage({ featured }: { featured: ReactNode }) {
  const root = useRef<HTMLDivElement>(null);
  useReveal(root);
  return (
    <div ref={root}>
      <PageMeta title="Home" />
      <HeroSlider />
      <BetterJob />
      <FeaturedSection>{featured}</FeaturedSection>
      <CategoryCarousel />
      <HowItWorks />
      <Feedback />
    </div>
  );
}
