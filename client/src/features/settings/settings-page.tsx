import type { ReactNode } from "react";
import { Link, type LoaderFunctionArgs } from "react-router-dom";
import { DownloadButton } from "../../auth/download-button.tsx";
import { useAuth } from "../../auth/session.tsx";
import { paths } from "../../lib/paths.ts";
import { loadQuery, meQuery, ownProfileQuery, useLoadedQuery } from "../../lib/queries.tsx";
import { site } from "../../lib/site.ts";
import { PageHeading } from "../../ui/page-head.tsx";
import { PaymentSettings, paymentDetailsQuery } from "../payments/payment-details.tsx";
import { DeleteAccount } from "./delete-account.tsx";
import { EmailAddress, EmailNotices, SettingSwitch } from "./email-settings.tsx";
import { ChangeEmail, ChangePassword } from "./login-settings.tsx";
import { PortfolioForm } from "./portfolio-form.tsx";
import { ProfileForm } from "./profile-form.tsx";

/** Loads the user's settings, and the profile afresh, because the form will be saved over this version. */
export async function loader(args: LoaderFunctionArgs): Promise<unknown> {
  await Promise.all([
    loadQuery(args, meQuery),
    loadQuery(args, ownProfileQuery, { fresh: true }),
    loadQuery(args, paymentDetailsQuery),
  ]);
  return null;
}

/** Settings: public profile, how the user is paid, email address, password, email notifications, data export and account deletion. */
export function Component() {
  const me = useLoadedQuery(meQuery);
  const profile = useLoadedQuery(ownProfileQuery);
  const details = useLoadedQuery(paymentDetailsQuery);
  const { user } = useAuth();
  return (
    <div className="max-w-3xl space-y-6">
      <PageHeading
        title="Settings"
        action={
          <Link to={paths.person(me.id)} className="btn btn-outline">
            My public profile
          </Link>
        }
      />
      <nav aria-label="Sections">
        <ul className="flex flex-wrap gap-x-5 gap-y-1 text-sm">
          {SECTIONS.map((title) => (
            <li key={title}>
              <Link to={`#${idOf(title)}`} className="link-hover link inline-block py-1">
                {title}
              </Link>
            </li>
          ))}
        </ul>
      </nav>
      <Section title="Profile">
        {user && <ProfileForm user={user} profile={profile} />}
        <SettingSwitch
          me={me}
          name="inDirectory"
          label="List me in the directory of people"
          hint="With a headline or skills, clients find you there and can look at your profile. If this is off, search engines leave you out, too, and nobody can invite you."
        />
      </Section>
      <Section title="Portfolio">
        <PortfolioForm files={profile.portfolio} />
      </Section>
      <Section title="How you are paid">
        <PaymentSettings details={details} />
      </Section>
      <Section title="Email address">
        <EmailAddress />
        <ChangeEmail />
      </Section>
      <Section title="Password">
        <ChangePassword />
      </Section>
      <Section title="Notifications by email">
        <EmailNotices me={me} />
      </Section>
      <Section title="My data">
        <p className="quiet">
          A file (JSON) with everything {site.brand} holds about you: your profile, tasks, bids, messages,
          reviews, reports, saved searches and notifications.
        </p>
        <DownloadButton path="/me/export" file="tasklane-my-data.json">
          Export my data
        </DownloadButton>
        <DownloadButton path="/me/files.zip" file="tasklane-my-files.zip">
          Download my files
        </DownloadButton>
      </Section>
      <Section title="Delete account">
        <DeleteAccount />
      </Section>
    </div>
  );
}

const SECTIONS = [
  "Profile",
  "Portfolio",
  "How you are paid",
  "Email address",
  "Password",
  "Notifications by email",
  "My data",
  "Delete account",
] as const;
type Title = (typeof SECTIONS)[number];

/** Links from elsewhere call the email address by what is to be done there. */
const idOf = (title: Title) =>
  title === "Email address" ? "verification" : title.toLowerCase().replaceAll(" ", "-");

function Section({ title, children }: { title: Title; children: ReactNode }) {
  return (
    <section id={idOf(title)} tabIndex={-1} className="card card-body gap-4 sm:items-start">
      <h2 className="text-lg font-semibold">{title}</h2>
      {children}
    </section>
  );
}
