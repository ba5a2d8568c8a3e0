import { linkParts } from "../../lib/links.ts";

/** What somebody wrote, line by line, with its web addresses as links. Nothing of where they lead is fetched. */
export function MessageText({ text }: { text: string }) {
  return (
    <p dir="auto" className="wrap-anywhere whitespace-pre-line">
      {linkParts(text).map((part, at) =>
        part.href ? (
          <a key={at} href={part.href} target="_blank" rel="nofollow ugc noopener" className="link">
            {part.text}
          </a>
        ) : (
          part.text
        ),
      )}
    </p>
  );
}
