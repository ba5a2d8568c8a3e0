import type { ReactNode } from "react";
import { Link, type LoaderFunctionArgs } from "react-router-dom";
import { DownloadButton } from "../../auth/download-button.tsx";
import { apiOf, loadQuery, useApi, useLoaded } from "../../lib/api-context.tsx";
import { meQuery } from "../../lib/me.ts";
import { paths } from "../../lib/paths.ts";
import { PageHeading, PageMeta } from "../../ui/page-head.tsx";
import { DeleteAccount } from "./delete-account.tsx";
import { EmailAddress, EmailNotices } from "./email-settings.tsx";

export { action } from "./settings-data.ts";

/** Loads the person's settings. */
export function loader(args: LoaderFunctionArgs): Promise<unknown> {
  return loadQuery(args, meQuery(apiOf(args)));
}

/** What a person decides about their own account: notifications by email, a copy of their data, and its end. */
export function Component() {
  const me = useLoaded(meQuery(useApi()));
  return (
    <div className="mx-auto max-w-3xl space-y-6">
      <PageMeta title="Settings" />
      <PageHeading
        title="Settings"
        action={
          <Link to={paths.person(me.id)} className="btn btn-outline">
            My public profile
          </Link>
        }
      />
      <Section title="Email address">
        <EmailAddress />
      </Section>
      <Section title="Notifications by email">
        <EmailNotices me={me} />
      </Section>
      <Section title="My data">
        <p className="quiet">
          A file (JSON) with everything Tasklane holds about you: your tasks, bids, messages, reviews, reports
          and notifications.
        </p>
        <DownloadButton path="/me/export" file="tasklane-my-data.json">
          Export my data
        </DownloadButton>
      </Section>
      <Section title="Delete account">
        <DeleteAccount />
      </Section>
    </div>
  );
}

function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="card card-body gap-4 sm:items-start">
      <h2 className="text-lg font-semibold">{title}</h2>
      {children}
    </section>
  );
}
