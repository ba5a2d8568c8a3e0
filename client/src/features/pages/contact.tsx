import { Mail, MapPin, Phone } from "lucide-react";
import { type FormEvent, useState } from "react";
import { site } from "../../lib/site.ts";
import { Field, FormFieldsContext } from "../../ui/field.tsx";
import { PageHeading, PageMeta } from "../../ui/page-head.tsx";

/** What mail programs still take from a link. */
const MAX_LENGTH = 4_000;

type Message = { name: string; email: string; text: string };

/**
 * Logs the entries, stores nothing and resets the form. So that a message really goes somewhere, it also opens in the
 * person's own mail program.
 */
export function Component() {
  const [opened, setOpened] = useState("");
  const [isEmpty, setIsEmpty] = useState(false);
  const [errors, setErrors] = useState({});

  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = event.currentTarget;
    const data = new FormData(form);
    const field = (key: string) => String(data.get(key) ?? "").trim();
    const message = { name: field("name"), email: field("email"), text: field("message") };
    if (message.text.length > MAX_LENGTH) {
      setErrors({ message: `Message can have at most ${MAX_LENGTH.toLocaleString("en-US")} characters.` });
      return;
    }
    // biome-ignore lint/suspicious/noConsole: the specified behaviour of this form.
    console.info("Contact message", message);
    form.reset();
    setErrors({});
    setIsEmpty(message.text === "");
    const address = message.text && mailtoAddress(site.contact.email, message);
    if (address) window.location.href = address;
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
        <form onSubmit={submit} noValidate className="card card-body gap-5 sm:p-8">
          <FormFieldsContext value={{ name: "contact", values: {}, errors }}>
            <div className="grid grid-cols-1 gap-5 sm:grid-cols-2">
              <Field name="name" label="Full name" autoComplete="name" />
              <Field name="email" label="Email" type="email" autoComplete="email" />
            </div>
            <Field
              name="message"
              label="Message"
              type="textarea"
              rows={6}
              limit={MAX_LENGTH}
              hint={`Opens in your own mail program, addressed to ${site.contact.email}. ${site.brand} stores nothing.`}
            />
          </FormFieldsContext>
          <button type="submit" className="btn self-start btn-primary">
            SEND MESSAGE
          </button>
          <div role="status" className="empty:hidden">
            {isEmpty && <p className="alert alert-soft alert-warning">Please write a message first.</p>}
            {opened && (
              <p className="alert block alert-soft">
                Your message is open in your mail program: press send there. Nothing opened?{" "}
                <a href={opened} className="link font-semibold">
                  Open it again
                </a>{" "}
                or write to {site.contact.email}.
              </p>
            )}
          </div>
        </form>
        <address className="card card-body gap-4 wrap-anywhere not-italic">
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

/** The `mailto:` address (RFC 6068) that opens a contact message in a mail program. */
export function mailtoAddress(to: string, { name, email, text }: Message): string {
  const from = [name, email && `<${email}>`].filter(Boolean).join(" ");
  const subject = name ? `Message from ${name}` : "Message";
  // RFC 6068 wants percent-encoding and CRLF; URLSearchParams would turn spaces into plus signs.
  const body = [text, from && `-- \n${from}`].filter(Boolean).join("\n\n").replaceAll(/\r?\n/g, "\r\n");
  return `mailto:${to}?subject=${encodeURIComponent(subject)}&body=${encodeURIComponent(body)}`;
}
