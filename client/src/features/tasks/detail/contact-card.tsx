import { ADDRESSES_PER_DAY, type Task } from "@tasklane/server/contract";
import { Mail } from "lucide-react";
import { Avatar } from "../../../ui/avatar.tsx";
import { lazyModule } from "../../../ui/lazy-module.ts";
import { PersonLink } from "../../../ui/person-link.tsx";
import { Section } from "../../../ui/section.tsx";
import { UnverifiedBadge } from "../../../ui/state-badge.tsx";
import { PaidBy } from "../../payments/payment-details.tsx";
import { ClientRecord } from "../../people/client-record.tsx";

// Loaded lazily: few readers of a task have somebody to message.
const useMessages = lazyModule(() => import("../../conversations/message-contact.tsx"), { idle: true });

/**
 * The other side of the task: the buyer for freelancers; for the owner the hired freelancer, if any. After an award the
 * API gives these two, and nobody else, each other's contact data.
 */
export function ContactCard({ task }: { task: Task }) {
  const { viewer, otherSideLeft } = task;
  const { contact, isOwner, addressLimitReached } = viewer ?? {};
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
        <div className="flex items-center gap-3">
          <Avatar name={name} src={isOwner ? undefined : task.clientImage} />
          <div className="min-w-0">
            <p className="font-medium wrap-anywhere">
              <PersonLink id={otherSideLeft ? undefined : id} name={name} />
            </p>
            <p className="flex flex-wrap items-center gap-x-3 gap-y-1 empty:hidden">
              {email && (
                <a
                  href={mailtoAddress(email)}
                  className="link inline-flex max-w-full items-start gap-1.5 text-sm link-primary"
                >
                  <Mail className="mt-0.5 size-4 shrink-0" />
                  <span className="min-w-0 wrap-anywhere">{email}</span>
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
          again tomorrow; you can still bid now.
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
