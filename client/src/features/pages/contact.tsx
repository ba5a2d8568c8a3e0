import { optionalParagraph } from "@tasklane/server/contract";
import { Mail, MapPin, Phone } from "lucide-react";
import { useState } from "react";
import * as z from "zod/mini";
import { site } from "../../lib/site.ts";
import { Field } from "../../ui/field.tsx";
import { PageHeading } from "../../ui/page-head.tsx";
import { SchemaForm } from "../../ui/schema-form.tsx";
import letter from "./art/letter.svg";

/** Mail programs cut off longer `mailto:` links. */
const MAX_CHARACTERS = 4_000;

const schema = z.object({
  name: optionalParagraph("Full name", MAX_CHARACTERS),
  email: optionalParagraph("Email", MAX_CHARACTERS),
  message: optionalParagraph("Message", MAX_CHARACTERS),
});

/** Contact. The specified form only logs the message, so it is also opened in the user's mail program. */
export function Component() {
  /** The `mailto:` URL that has opened, empty if there was no message. */
  const [sent, setSent] = useState<string>();

  return (
    <div className="page grid min-h-[calc(100dvh-4rem)] grid-cols-1 content-start gap-8 py-6 sm:py-10">
      <PageHeading
        title="Contact"
        description={`Write to ${site.brand}: questions, problems and ideas are welcome.`}
      >
        Questions, problems, ideas: a person reads every message.
      </PageHeading>
      <div className="grid grid-cols-1 gap-6 lg:grid-cols-[minmax(0,2fr)_minmax(0,1fr)]">
        <div className="card card-body gap-5 sm:p-8">
          <SchemaForm
            schema={schema}
            draft="contact"
            isForVisitors
            startsAnew
            save={async ({ name, email, message: text }) => {
              // biome-ignore lint/suspicious/noConsole: the specified behavior of this form.
              console.info("Contact message", { name, email, text });
              return text ? mailtoAddress(site.contact.email, { name, email, text }) : "";
            }}
            submit="SEND MESSAGE"
            onSubmit={() => setSent(undefined)}
            onSaved={(address) => {
              setSent(address);
              if (address) window.location.href = address;
            }}
          >
            <div className="grid grid-cols-1 gap-5 sm:grid-cols-2">
              <Field name="name" label="Full name" autoComplete="name" enterKeyHint="next" />
              <Field name="email" label="Email" type="email" autoComplete="email" enterKeyHint="next" />
            </div>
            <Field
              name="message"
              label="Message"
              hint={`Opens in your own mail program, addressed to ${site.contact.email}. ${site.brand} stores nothing.`}
              type="textarea"
              rows={8}
              limit={MAX_CHARACTERS}
            />
          </SchemaForm>
          <div role="status" className="empty:absolute">
            {sent === "" && <p className="alert alert-soft alert-warning">Please write a message first.</p>}
            {sent && (
              <p className="alert block alert-soft">
                Your message is open in your mail program: send it from there. Nothing opened?{" "}
                <a href={sent} className="link font-semibold">
                  Open it again
                </a>{" "}
                or write to {site.contact.email}.
              </p>
            )}
          </div>
        </div>
        <address
          data-theme="tasklane-dark"
          className="card gap-4 overflow-hidden border-0 bg-[#0b3a31] p-6 wrap-anywhere not-italic sm:p-8"
        >
          <img
            src={letter}
            alt=""
            width={480}
            height={300}
            loading="lazy"
            className="mb-auto hidden h-auto w-full lg:block"
          />
          <h2 className="text-xl font-semibold">Or reach us directly</h2>
          <span className="flex gap-3">
            <MapPin className="mt-0.5 size-5 shrink-0 text-accent" />
            {site.contact.address.join(", ")}
          </span>
          <a href={`mailto:${site.contact.email}`} className="link-hover link flex gap-3 py-0.5">
            <Mail className="mt-0.5 size-5 shrink-0 text-accent" />
            {site.contact.email}
          </a>
          <a
            href={`tel:${site.contact.phone.replaceAll(" ", "")}`}
            className="link-hover link flex gap-3 py-0.5"
          >
            <Phone className="mt-0.5 size-5 shrink-0 text-accent" />
            {site.contact.phone}
          </a>
        </address>
      </div>
    </div>
  );
}

type Message = { name: string; email: string; text: string };

/** The `mailto:` URL (RFC 6068) that opens a contact message in a mail program. */
export function mailtoAddress(to: string, { name, email, text }: Message): string {
  const from = [name, email && `<${email}>`].filter(Boolean).join(" ");
  const subject = name ? `Message from ${name}` : "Message";
  // RFC 6068 wants percent-encoding and CRLF; URLSearchParams would turn spaces into plus signs.
  const body = [text, from && `-- \n${from}`].filter(Boolean).join("\n\n").replaceAll(/\r?\n/g, "\r\n");
  return `mailto:${to}?subject=${encodeURIComponent(subject)}&body=${encodeURIComponent(body)}`;
}
