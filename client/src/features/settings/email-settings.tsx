import { useMutation } from "@tanstack/react-query";
import { MAIL_GROUPS, type MailChoice, type MailGroup, type Me } from "@tasklane/server/contract";
import { useEffect } from "react";
import { Link, useLocation } from "react-router-dom";
import { failureText } from "../../auth/failure-text.ts";
import { useAuth } from "../../auth/session.tsx";
import { useVerificationCheck } from "../../auth/use-verification-check.ts";
import { paths } from "../../lib/paths.ts";
import { site } from "../../lib/site.ts";
import { BusyButton } from "../../ui/busy-button.tsx";
import { Options } from "../../ui/choice.tsx";
import { FormAlert } from "../../ui/form-alert.tsx";
import { UnverifiedBadge } from "../../ui/state-badge.tsx";
import { useSavedChoice } from "../../ui/use-saved-choice.tsx";
import { Email } from "../../ui/user-text.tsx";

/** The user's email address, with its verification. */
export function EmailAddress() {
  const { user } = useAuth();
  if (!user) return null;
  return (
    <div className="space-y-3">
      <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <strong className="min-w-0 font-medium wrap-anywhere">
          <Email address={user.email ?? ""} />
        </strong>
        {!user.emailVerified && <UnverifiedBadge />}
      </p>
      {user.emailVerified ? <p className="quiet text-sm">This address is verified.</p> : <Verification />}
    </div>
  );
}

/** Sends the verification link. Checks whether it was opened when the user presses a button, here or on the dashboard. */
function Verification() {
  const { sendEmailVerification } = useAuth();
  const isVerified = useVerificationCheck();
  const { hash } = useLocation();
  const sending = useMutation({ mutationFn: () => sendEmailVerification() });
  const checking = useMutation({ mutationFn: () => isVerified(), retry: false });
  const busy = sending.isPending || checking.isPending;
  const failure = sending.error ?? checking.error;
  const { mutate: checkOnArrival } = checking;
  useEffect(() => {
    if (hash === "#verification") checkOnArrival();
  }, [hash, checkOnArrival]);
  const send = () => {
    checking.reset();
    sending.mutate();
  };
  const check = () => {
    sending.reset();
    checking.mutate();
  };

  return (
    <>
      <p className="text-sm">
        Open the link we sent you when you signed up. Until then we send nothing to this address, and others
        see that it is not verified. Everything else works as usual.
      </p>
      <FormAlert>{failure && failureText(failure)}</FormAlert>
      <div className="flex flex-wrap gap-3">
        <BusyButton className="btn btn-outline" busy={busy} onClick={send}>
          {sending.isPending ? "Sending…" : "Send a new link"}
        </BusyButton>
        <BusyButton className="btn btn-ghost" busy={busy} onClick={check}>
          {checking.isPending ? "Checking…" : "I have opened it"}
        </BusyButton>
      </div>
      <p role="status" className="text-sm empty:absolute">
        {checking.data === false &&
          "The link has not been opened yet. Check the spam folder, too, or send a new link."}
        {sending.isSuccess &&
          (sending.data ? (
            <>
              This local installation sends no email.{" "}
              <a className="link link-primary" href={sending.data} target="_blank" rel="noreferrer">
                Verify your email address
              </a>
            </>
          ) : (
            "A link is on its way. Check the spam folder, too."
          ))}
      </p>
    </>
  );
}

type SwitchProps = {
  me: Me;
  name: "emailNotices" | "inDirectory";
  label: string;
  hint: string;
  disabled?: boolean;
};

/** A switch for a setting. It changes immediately, and back with an error if it could not be saved. */
export function SettingSwitch({ me, name, label, hint, disabled = false }: SwitchProps) {
  const { value, choose, feedback } = useSavedChoice(me[name], (call, on) =>
    call("PATCH /me", { body: { [name]: on }, isRepeatable: true }),
  );
  return (
    <div className="space-y-3">
      {feedback}
      <label className="flex items-start gap-3">
        <input
          type="checkbox"
          name={name}
          className="toggle mt-0.5 toggle-primary"
          aria-describedby={`${name}-hint`}
          checked={value && !disabled}
          disabled={disabled}
          onChange={(event) => void choose(event.target.checked)}
        />
        <span className="min-w-0 font-medium wrap-anywhere">{label}</span>
      </label>
      <p id={`${name}-hint`} className="quiet text-sm">
        {hint}
      </p>
    </div>
  );
}

const GROUP_NAMES: Record<MailGroup, string> = {
  bids: "Bids and invitations",
  work: "Work you hired for or were hired for",
  payments: "Payments and invoices",
  messages: "Messages",
  other: "Tasks, questions and reviews",
};
const CHOICES = [
  ["at-once", "Immediately"],
  ["daily", "Once a day"],
  ["never", "Never"],
] as const satisfies [MailChoice, string][];

/** When emails of this group are sent. A choice is saved immediately, without those of the other groups. */
function MailChoiceSelect({ me, group }: { me: Me; group: MailGroup }) {
  const { value, choose, feedback } = useSavedChoice<MailChoice>(me.mailChoices[group], (call, choice) =>
    call("PATCH /me", { body: { mailChoices: { [group]: choice } }, isRepeatable: true }),
  );
  return (
    <div className="grid gap-3">
      <label className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1">
        <span className="min-w-0">{GROUP_NAMES[group]}</span>
        <select
          className="select min-w-0 grow basis-40 sm:max-w-60"
          value={value}
          onChange={({ target }) => void choose(target.value as MailChoice)}
        >
          <Options options={CHOICES} />
        </select>
      </label>
      {feedback}
    </div>
  );
}

/** The switch for notifications by email. */
export function EmailNotices({ me }: { me: Me }) {
  return (
    <>
      <SettingSwitch
        me={me}
        name="emailNotices"
        label="Send me my notifications by email too"
        hint={
          me.emailAvailable
            ? "New bids, awards, changes and unread messages, to the address you log in with. In the app you get them either way."
            : `This installation of ${site.brand} cannot send email. All notifications are under the bell.`
        }
        disabled={!me.emailAvailable}
      />
      {me.emailAvailable && me.emailNotices && (
        <fieldset className="grid gap-3">
          <legend className="sr-only">When each kind is sent</legend>
          {MAIL_GROUPS.map((group) => (
            <MailChoiceSelect key={group} me={me} group={group} />
          ))}
        </fieldset>
      )}
      {me.emailAvailable && (
        <p className="quiet text-sm">
          You can choose when new tasks are emailed for each of your{" "}
          <Link to={paths.searches} className="link">
            saved searches
          </Link>
          .
        </p>
      )}
    </>
  );
}
