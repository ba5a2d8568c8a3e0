import { UserRound } from "lucide-react";
import { type CSSProperties, useState } from "react";
import { Link } from "react-router-dom";
import { paths } from "../lib/paths.ts";

type Props = {
  name: string;
  src?: string | null | undefined;
  size?: "sm" | "md" | "lg";
};

const SIZES = { sm: "size-9 text-sm", md: "size-12 text-base", lg: "size-24 text-3xl" } as const;
const PIXELS = { sm: 36, md: 48, lg: 96 } as const;

// All hues have the same lightness and chroma, and so the same contrast: more than 7:1.
const INITIALS =
  "bg-[oklch(0.91_0.05_var(--hue))] text-[oklch(0.36_0.08_var(--hue))] dark:bg-[oklch(0.36_0.06_var(--hue))] dark:text-[oklch(0.93_0.05_var(--hue))]";

/**
 * A person's photo, or, if it is missing or cannot be loaded, their initials on a color derived from the name.
 * Decorative: the name is shown next to it.
 */
export function Avatar({ name, src, size = "md" }: Props) {
  const [broken, setBroken] = useState<string | null>(null);
  const photo = src && src !== broken ? src : null;
  return (
    <div aria-hidden="true" className={`avatar shrink-0 ${photo ? "" : "avatar-placeholder"}`}>
      <div
        style={{ "--hue": hueOf(name) } as CSSProperties}
        className={`${SIZES[size]} rounded-full ${photo ? "bg-base-300" : `font-semibold select-none forced-colors:border ${INITIALS}`}`}
      >
        {photo ? (
          <img
            src={photo}
            alt=""
            width={PIXELS[size]}
            height={PIXELS[size]}
            loading="lazy"
            referrerPolicy="no-referrer"
            onError={() => setBroken(photo)}
          />
        ) : (
          initialsOf(name) || <UserRound className="size-3/5" />
        )}
      </div>
    </div>
  );
}

/** A name's color: one of twelve hues, in degrees. */
export function hueOf(name: string): number {
  let hash = 0;
  for (const character of name.trim()) hash = (hash * 31 + (character.codePointAt(0) ?? 0)) % 1_000_003;
  return (hash % 12) * 30;
}

const GRAPHEMES = new Intl.Segmenter("en-US");
const LETTER_OR_DIGIT = /[\p{L}\p{N}]/u;

/**
 * The first letters of the first and the last word; only one if the script has no capitals, since two would not be read
 * as initials. For a name without letters its first character, such as an emoji; empty for an empty name.
 */
export function initialsOf(name: string): string {
  const words = name.trim().split(/\s+/u);
  const letters = words.flatMap((word) => graphemesOf(word).find((it) => LETTER_OR_DIGIT.test(it)) ?? []);
  const [first = graphemesOf(name.trim())[0] ?? "", ...others] = letters;
  const last = others.at(-1) ?? "";
  return [first, last].every(hasCase) ? (first + last).toLocaleUpperCase("en-US") : first.toUpperCase();
}

function graphemesOf(text: string): string[] {
  return Array.from(GRAPHEMES.segment(text), ({ segment }) => segment);
}

function hasCase(letter: string): boolean {
  return letter.toUpperCase() !== letter.toLowerCase();
}

type LinkProps = { id?: string | undefined; name: string; className?: string };

/** A person's name as a link to their profile. Without an id (a deleted account) it is plain text. */
export function PersonLink({ id, name, className = "" }: LinkProps) {
  if (!id) return <bdi className={className}>{name}</bdi>;
  return (
    <Link to={paths.person(id)} dir="auto" className={`link link-hover ${className}`}>
      {name}
    </Link>
  );
}
