import type { Task } from "@tasklane/server/contract";
import { Handshake, Mail } from "lucide-react";
import { Link } from "react-router-dom";
import { paths } from "../../../lib/paths.ts";

/** After an award: how client and freelancer reach each other. The API tells it to these two only. */
export function ContactCard({ task }: { task: Task }) {
  const contact = task.viewer?.contact;
  if (!contact) return null;
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
      <p className="quiet text-sm">Only the two of you see each other’s address because of this task.</p>
    </section>
  );
}
