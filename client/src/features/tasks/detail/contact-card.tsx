import type { Task } from "@tasklane/server/contract";
import { Handshake, Mail } from "lucide-react";
import { Link } from "react-router-dom";
import { paths } from "../../../lib/paths.ts";
import { UnverifiedMark } from "../../../ui/state-mark.tsx";

/** After an award: how client and freelancer reach each other. The API tells it to these two only. */
export function ContactCard({ task }: { task: Task }) {
  const contact = task.viewer?.contact;
  if (!contact) return task.viewer?.isOwner && task.viewer.addressLimitReached ? <NoContactToday /> : null;
  return (
    <section className="surface space-y-3 border-primary/40 p-6" aria-labelledby="contact">
      <h2 id="contact" className="flex items-center gap-2 text-lg font-semibold">
        <Handshake aria-hidden="true" className="size-5 text-primary" />
        {task.viewer?.isOwner ? "Your freelancer" : "Your client"}
      </h2>
      <p className="wrap-anywhere">
        <Link to={paths.person(contact.id)} className="link font-medium link-hover">
          {contact.name}
        </Link>
      </p>
      <a
        href={`mailto:${contact.email}`}
        className="link inline-flex max-w-full items-center gap-1.5 text-sm link-primary"
      >
        <Mail aria-hidden="true" className="size-4 shrink-0" />
        <span className="truncate">{contact.email}</span>
      </a>
      {!contact.emailVerified && <UnverifiedMark />}
      <p className="quiet text-sm">Only the two of you see each other’s address because of this task.</p>
    </section>
  );
}

/** The task was awarded again and again: so that nobody collects addresses this way, the next ones wait. */
function NoContactToday() {
  return (
    <section className="surface space-y-3 p-6" aria-labelledby="contact">
      <h2 id="contact" className="text-lg font-semibold">
        Your freelancer
      </h2>
      <p className="text-sm">
        You have hired again and again today, so this freelancer’s email address is shown from tomorrow on.
        They already see yours and can write to you.
      </p>
    </section>
  );
}
