import { isBlank } from "@tasklane/server/contract";
import { Mail, MapPin, Phone } from "lucide-react";
import { type FormEvent, useState } from "react";
import { site } from "../../lib/site.ts";
import { Field } from "../../ui/old-field.tsx";
import { PageHeading } from "../../ui/page-heading.tsx";
import { PageMeta } from "../../ui/page-meta.tsx";
import { mailtoAddress } from "./mailto.ts";

/** What mail programs still take from a link. */
const LONGEST = 4_000;

/**
 * SPEC section 2, Contact: logs the entries, stores nothing and resets the form. So that a message really goes
 * somewhere, it also opens in the person's own mail program.
 */
export function Component() {
  const [opened, setOpened] = useState("");
  const [empty, setEmpty] = useState(false);
  const [tooLong, setTooLong] = useState(false);

  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = event.currentTarget;
    const data = new FormData(form);
    const field = (key: string) => String(data.get(key) ?? "").trim();
    const message = { name: field("name"), email: field("email"), text: field("message") };
    setTooLong(message.text.length > LONGEST);
    if (message.text.length > LONGEST) return;
    // biome-ignore lint/suspicious/noConsole: the specified behaviour of this form.
    console.info("Contact message", message);
    form.reset();
    const isEmpty = isBlank(message.text);
    setEmpty(isEmpty);
    setOpened("");
    if (isEmpty) return;
    const address = mailtoAddress(site.contact.email, message);
    window.location.href = address;
    setOpened(address);
  };

  return (
    <div className="page space-y-8 py-12">
      <PageMeta
        title="Contact"
        description={`Write to ${site.brand}: questions, problems and ideas are welcome.`}
      />
      <PageHeading title="Contact">Questions, problems, ideas: a person reads every message.</PageHeading>
      <div className="grid grid-cols-1 gap-6 lg:grid-cols-[minmax(0,1fr)_20rem] lg:items-start">
        <form onSubmit={submit} className="surface grid grid-cols-1 gap-5 p-6 sm:p-8">
          <div className="grid grid-cols-1 gap-5 sm:grid-cols-2">
            <Field name="name" label="Full name">
              {(control) => <input {...control} type="text" autoComplete="name" className="input w-full" />}
            </Field>
            <Field name="email" label="Email">
              {(control) => <input {...control} type="email" autoComplete="email" className="input w-full" />}
            </Field>
          </div>
          <Field
            name="message"
            limit={LONGEST}
            error={
              tooLong ? `Message can have at most ${LONGEST.toLocaleString("en-US")} characters.` : undefined
            }
            label="Message"
            hint={`Opens in your own mail program, addressed to ${site.contact.email}. ${site.brand} stores nothing.`}
          >
            {(control) => <textarea {...control} className="textarea min-h-40 w-full" />}
          </Field>
          <button type="submit" className="btn justify-self-start btn-primary">
            SEND MESSAGE
          </button>
          <div role="status" className="empty:hidden">
            {empty && (
              <p className="rounded-field bg-warning/10 px-4 py-3 text-sm">
                There was no message in it, so none is open in your mail program.
              </p>
            )}
            {opened && (
              <p className="rounded-field bg-primary/10 px-4 py-3 text-sm">
                Your message is open in your mail program: press send there. Nothing opened?{" "}
                <a href={opened} className="link font-semibold link-primary">
                  Open it again
                </a>{" "}
                or write to {site.contact.email}.
              </p>
            )}
          </div>
        </form>
        <address className="surface grid grid-cols-1 gap-4 p-6 wrap-anywhere not-italic">
          <span className="flex gap-3">
            <MapPin aria-hidden="true" className="size-5 shrink-0 text-primary" />
            {site.contact.address.join(", ")}
          </span>
          <a href={`mailto:${site.contact.email}`} className="link-hover link flex gap-3 py-0.5">
            <Mail aria-hidden="true" className="size-5 shrink-0 text-primary" />
            {site.contact.email}
          </a>
          <a
            href={`tel:${site.contact.phone.replaceAll(" ", "")}`}
            className="link-hover link flex gap-3 py-0.5"
          >
            <Phone aria-hidden="true" className="size-5 shrink-0 text-primary" />
            {site.contact.phone}
          </a>
        </address>
      </div>
    </div>
  );
}
