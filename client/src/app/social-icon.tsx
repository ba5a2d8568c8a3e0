import marks from "./social-marks.svg";

/** A social network's mark; decorative, the link around it carries the name. Drawn by us: icon libraries leave brands out. */
export function SocialIcon({ name }: { name: string }) {
  return (
    <svg className="size-5" fill="currentColor" aria-hidden="true">
      <use href={`${marks}#${name.toLowerCase()}`} />
    </svg>
  );
}
