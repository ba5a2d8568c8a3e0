import { useState } from "react";

type Props = {
  name: string;
  src?: string | null | undefined;
  size?: "sm" | "md" | "lg";
  /** A bundled picture to show where there is no photo or it cannot be loaded; without it, initials. */
  fallback?: string;
};

const SIZES = { sm: "size-9 text-sm", md: "size-12 text-base", lg: "size-24 text-3xl" } as const;
const PIXELS = { sm: 36, md: 48, lg: 96 } as const;

/** A person's photo, or their initials where there is none or it cannot be loaded. Decorative: the name stands beside it. */
export function Avatar({ name, src, size = "md", fallback }: Props) {
  const [broken, setBroken] = useState<string | null>(null);
  const shown = src && src !== broken ? src : fallback;
  return (
    <div aria-hidden="true" className={`avatar shrink-0 ${shown ? "" : "avatar-placeholder"}`}>
      <div
        className={`${SIZES[size]} rounded-full ${shown ? "bg-base-300" : "bg-primary font-semibold text-primary-content"}`}
      >
        {shown ? (
          <img
            src={shown}
            alt=""
            width={PIXELS[size]}
            height={PIXELS[size]}
            loading="lazy"
            referrerPolicy="no-referrer"
            onError={() => setBroken(shown)}
          />
        ) : (
          initials(name)
        )}
      </div>
    </div>
  );
}

function initials(name: string): string {
  const words = name.trim().split(/\s+/u).filter(Boolean);
  const letters = [words.at(0), words.length > 1 ? words.at(-1) : undefined].map(
    (word) => /[\p{L}\p{N}]/u.exec(word ?? "")?.[0] ?? "",
  );
  return letters.join("").toUpperCase() || "?";
}
