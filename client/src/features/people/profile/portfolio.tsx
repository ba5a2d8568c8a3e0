import type { FileInfo } from "@tasklane/server/contract";
import { FileText } from "lucide-react";
import { apiOrigin } from "../../../lib/env.ts";
import { formatBytes } from "../../../lib/format.ts";
import { contentPath } from "../../files/file-queries.ts";

/** Earlier work of a person, for everybody; nothing without any. */
export function Portfolio({ files }: { files: readonly FileInfo[] | undefined }) {
  if (!files) return null;
  return (
    <section aria-labelledby="portfolio" className="space-y-4">
      <h2 id="portfolio" className="text-2xl font-semibold">
        Portfolio
      </h2>
      <ul className="grid grid-cols-[repeat(auto-fill,minmax(min(100%,19rem),1fr))] gap-5">
        {files.map(({ _id, name, size, picture }) => (
          <li key={_id} className="card overflow-hidden">
            <a
              href={apiOrigin + contentPath(_id)}
              target="_blank"
              rel="nofollow ugc noopener"
              className="group"
            >
              <span className="grid h-40 place-items-center overflow-hidden bg-base-200">
                {picture ? (
                  <img
                    src={apiOrigin + contentPath(_id, true)}
                    alt=""
                    loading="lazy"
                    className="size-full object-cover"
                  />
                ) : (
                  <FileText className="size-8" />
                )}
              </span>
              <span className="block p-3 text-sm">
                <bdi className="font-medium wrap-anywhere group-hover:underline">{name}</bdi>{" "}
                <span className="quiet">{formatBytes(size)}</span>
                <span className="sr-only"> (opens in a new tab)</span>
              </span>
            </a>
          </li>
        ))}
      </ul>
    </section>
  );
}
