import type { FileInfo, Profile } from "@tasklane/server/contract";
import { ExternalLink, FileText, PencilLine } from "lucide-react";
import type { ReactNode } from "react";
import { Link } from "react-router-dom";
import { useAuth } from "../../../auth/session.tsx";
import { apiOrigin } from "../../../lib/env.ts";
import { formatBytes } from "../../../lib/format.ts";
import { languageName } from "../../../lib/languages.ts";
import { paths } from "../../../lib/paths.ts";
import { Section } from "../../../ui/section.tsx";
import { contentPath } from "../../files/file-list.tsx";

/** A person's own text, skills, languages and links. Empty profiles show nothing, except a hint to their owner. */
export function AboutPerson({ profile }: { profile: Profile }) {
  const { user } = useAuth();
  const isOwn = user?.uid === profile.id;
  const { about, skills, languages, links } = profile;
  const hasFacts = skills.length + languages.length + links.length > 0;
  const hasText = about !== "" || isOwn;
  if (!hasFacts && !hasText) return null;
  return (
    <section
      aria-labelledby="about"
      className={`card card-body grid grid-cols-[minmax(0,1fr)] gap-x-6 gap-y-4 sm:p-8 ${hasText && hasFacts ? "lg:grid-cols-[minmax(0,1fr)_20rem]" : ""}`}
    >
      <div className="col-span-full flex flex-wrap items-center justify-between gap-3">
        <h2 id="about" className="text-2xl font-semibold">
          About
        </h2>
        {isOwn && (
          <Link to={paths.settings} className="btn btn-outline btn-sm">
            <PencilLine />
            Edit profile
          </Link>
        )}
      </div>
      {about && (
        <p dir="auto" className="leading-relaxed wrap-anywhere whitespace-pre-line">
          {about}
        </p>
      )}
      {!about && isOwn && (
        <p className="quiet">Say what you do and how you work: clients read it before they hire.</p>
      )}
      {hasFacts && (
        <dl className={hasText ? "space-y-5" : "flex flex-wrap gap-x-12 gap-y-5"}>
          <Facts name="Skills" items={skills}>
            {(skill) => (
              <bdi className="badge h-auto badge-soft wrap-anywhere whitespace-normal">{skill}</bdi>
            )}
          </Facts>
          <Facts name="Languages" items={languages}>
            {(code) => <span className="badge h-auto badge-soft">{languageName(code)}</span>}
          </Facts>
          <Facts name="Links" items={links}>
            {(link) => <PlainLink href={link} />}
          </Facts>
        </dl>
      )}
    </section>
  );
}

type FactsProps = { name: string; items: readonly string[]; children: (item: string) => ReactNode };

function Facts({ name, items, children }: FactsProps) {
  if (items.length === 0) return null;
  return (
    <div className="min-w-0 space-y-2">
      <dt className="quiet text-sm">{name}</dt>
      <dd>
        <ul className="flex flex-wrap gap-2">
          {items.map((item) => (
            <li key={item} className="max-w-full min-w-0">
              {children(item)}
            </li>
          ))}
        </ul>
      </dd>
    </div>
  );
}

/** Shows the address itself, as a custom link text could be misleading. Sends no referrer. */
function PlainLink({ href }: { href: string }) {
  return (
    <a
      href={href}
      target="_blank"
      rel="me nofollow ugc noopener noreferrer"
      referrerPolicy="no-referrer"
      className="link inline-flex max-w-full items-start gap-1.5 text-sm link-primary"
    >
      <span className="min-w-0 wrap-anywhere">{href.replace(/^https:\/\//, "").replace(/\/$/, "")}</span>
      <ExternalLink className="mt-0.5 size-4 shrink-0" />
      <span className="sr-only"> (opens in a new tab)</span>
    </a>
  );
}

/** Earlier work of a person, for everybody; nothing without any. */
export function Portfolio({ files }: { files: readonly FileInfo[] | undefined }) {
  if (!files) return null;
  return (
    <Section id="portfolio" look="page" title="Portfolio">
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
    </Section>
  );
}
