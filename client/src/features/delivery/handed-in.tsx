import type { TimelineEntry } from "@tasklane/server/contract";
import { ExternalLink } from "lucide-react";
import { ClampedText } from "../../ui/clamped-text.tsx";

/** What was said with a step: a note and links, or a reason. Links are shown as they are, so that people see where they go. */
export function HandedIn({ entry: { note, links = [], reason } }: { entry: TimelineEntry }) {
  const text = note ?? reason;
  return (
    <>
      {text && <ClampedText text={text} />}
      {links.length > 0 && (
        <ul aria-label="Links" className="space-y-1.5 text-sm">
          {links.map((link, index) => (
            <li key={index}>
              <a
                href={link}
                target="_blank"
                rel="nofollow ugc noopener noreferrer"
                className="link inline-flex max-w-full items-start gap-1.5 link-primary"
              >
                <ExternalLink aria-hidden="true" className="mt-0.5 size-4 shrink-0" />
                <span dir="ltr" className="min-w-0 wrap-anywhere">
                  {link}
                </span>
                <span className="sr-only"> (opens in a new tab)</span>
              </a>
            </li>
          ))}
        </ul>
      )}
    </>
  );
}
