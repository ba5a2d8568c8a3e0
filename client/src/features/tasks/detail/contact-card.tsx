import { ADDRESSES_PER_DAY, MAX_COUNTED, mayAct, type Task } from "@tasklane/server/contract";
import { Mail } from "lucide-react";
import type { ReactNode } from "react";
import { formatDaysAgo, formatMonth, formatStars } from "../../../lib/format.ts";
import { Fact } from "../../../ui/fact.tsx";
import { lazyModule } from "../../../ui/lazy-module.ts";
import { stateNow, useNow } from "../../../ui/now.tsx";
import { Avatar, PersonLink } from "../../../ui/person.tsx";
import { Section } from "../../../ui/section.tsx";
import { Star } from "../../../ui/stars.tsx";
import { UnverifiedBadge } from "../../../ui/state-badge.tsx";
import { Email } from "../../../ui/user-text.tsx";
import { PaidBy } from "../../payments/payment-details.tsx";

// Loaded lazily: few readers of a task have somebody to message.
const useMessages = lazyModule(() => import("../../conversations/message-button.tsx"), { idle: true });

/**
 * The other side of the task: the buyer for freelancers; for the owner the hired freelancer, if any. After an award the
 * API gives these two, and nobody else, each other's contact data.
 */
export function ContactCard({ task }: { task: Task }) {
  const { viewer, otherSideLeft } = task;
  const { contact, isOwner, hasBid, addressLimitReached } = viewer ?? {};
  const mayBid = !hasBid && mayAct("bid", "freelancer", stateNow(task));
  const messages = useMessages();
  if (isOwner && !contact && !addressLimitReached) return null;
  const buyer = { id: task.clientId, name: task.name, email: task.email, emailVerified: task.emailVerified };
  const { id, name, email, emailVerified } = contact ?? buyer;
  return (
    <Section id="contact" look="side" title={isOwner ? "Your freelancer" : contact ? "Your client" : "Buyer"}>
      {isOwner && !contact ? (
        // Hiring must not become a way to harvest addresses, so the number of addresses per day is limited.
        <p className="text-sm">
          You have hired several people today, so this freelancer’s email address will be shown tomorrow. They
          already see yours and can write to you.
        </p>
      ) : (
        <div className="flex flex-wrap items-center gap-3">
          <Avatar name={name} src={isOwner ? undefined : task.clientImage} />
          <div className="min-w-0 grow basis-32">
            <p className="font-medium wrap-anywhere">
              <PersonLink id={otherSideLeft ? undefined : id} name={name} />
            </p>
            <p className="flex flex-wrap items-center gap-x-3 gap-y-1 empty:hidden">
              {email && (
                <a
                  href={mailtoAddress(email)}
                  // The places where it may break are spaces in its name.
                  aria-label={email}
                  className="link inline-flex max-w-full items-start gap-1.5 text-sm link-primary"
                >
                  <Mail className="mt-0.5 size-4 shrink-0" />
                  <span className="min-w-0 wrap-anywhere">
                    <Email address={email} />
                  </span>
                </a>
              )}
              {emailVerified === false && <UnverifiedBadge />}
            </p>
          </div>
        </div>
      )}
      {contact?.payment && task.state !== "completed" && <PaidBy details={contact.payment} />}
      {contact && (
        <p className="quiet text-sm">Since the award, this task shows your addresses only to each other.</p>
      )}
      {contact && !otherSideLeft && messages && <messages.MessageContact task={task} />}
      {!isOwner && addressLimitReached && (
        <p className="text-sm">
          You have looked up the addresses of {ADDRESSES_PER_DAY.posters} buyers today. This one will be shown
          again tomorrow{mayBid ? "; you can still bid now." : "."}
        </p>
      )}
      {!isOwner && <ClientRecord task={task} />}
    </Section>
  );
}

/** RFC 6068: a `?` in an address would start header fields, such as further recipients, so it must be encoded. */
function mailtoAddress(email: string): string {
  return `mailto:${encodeURIComponent(email).replace("%40", "@")}`;
}

/** A client's history, to help freelancers decide whether to work for them. Empty without `task.client`. */
function ClientRecord({ task: { client } }: { task: Pick<Task, "client"> }) {
  const now = useNow();
  if (!client) return null;
  const { hireRate, tasksPosted, tasksCompleted, rating, lastActiveOn, memberSince } = client;
  return (
    <dl className="grid fit-columns gap-4 border-t border-base-300 pt-4 sm:max-lg:grid-cols-3">
      {/* There is no hire rate before the first task has ended; 0% would be misleading. */}
      <Fact name="Hire rate">{hireRate === null ? "New client" : `${Math.round(hireRate * 100)}%`}</Fact>
      <Fact name="Tasks posted">{formatCount(tasksPosted)}</Fact>
      <Fact name="Completed">{formatCount(tasksCompleted)}</Fact>
      <Fact name="Reviews">{rating.average === null ? "None yet" : stars(rating.average, rating.count)}</Fact>
      <Fact name="Last active">
        <time dateTime={lastActiveOn} className="inline-block first-letter:uppercase">
          {formatDaysAgo(lastActiveOn, now)}
        </time>
      </Fact>
      <Fact name="Member since">
        <time dateTime={memberSince}>{formatMonth(memberSince)}</time>
      </Fact>
    </dl>
  );
}

function formatCount(count: number): string {
  return `${count.toLocaleString("en-US")}${count >= MAX_COUNTED ? "+" : ""}`;
}

function stars(average: number, count: number): ReactNode {
  return (
    <>
      <Star className="mr-1 mb-1 inline size-4" />
      {formatStars(average)} <span className="sr-only">of 5 stars </span>
      <span className="font-normal">({count.toLocaleString("en-US")})</span>
    </>
  );
}
